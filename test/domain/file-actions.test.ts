import { describe, expect, test } from 'vitest';
import type { AllowedFolder, ResolvedPath } from '../../src/contract/files.ts';
import type { Assessment } from '../../src/domain/catalogue/definition.ts';
import { CATALOGUE } from '../../src/domain/catalogue.ts';
import { offeredScopes } from '../../src/domain/grant.ts';

const HOME: AllowedFolder[] = [
  { path: '/home/ann/work', access: 'write' },
  { path: '/home/ann/library', access: 'read' },
];

function found(realPath: string, more: Partial<ResolvedPath> = {}): ResolvedPath {
  const identity = { device: '1', inode: '2' };
  return { path: '~/asked', realPath, kind: 'file', identity, folder: identity, names: 1, ...more };
}

function assess(type: string, parameters: object, files: ResolvedPath[], folders = HOME): Assessment {
  const assessed = CATALOGUE.get(type)?.assess(parameters, { files, folders });
  if (assessed?.ok !== true) throw new Error(JSON.stringify(assessed));
  return assessed.assessment;
}

const PATH = { path: '~/asked' };
const WRITE = { ...PATH, content: 'x' };

describe('the risk of an action on files', () => {
  test.each([
    ['ListFiles', PATH, found('/home/ann/library/deep/a', { kind: 'folder' }), 'low'],
    ['ReadFile', PATH, found('/home/ann/library/a.txt'), 'low'],
    ['ReadFile', PATH, found('/home/ann/library'), 'low'],
    ['ReadFile', PATH, found('/home/ann/library-of-others/a.txt'), 'high'],
    ['ReadFile', PATH, found('/etc/hosts'), 'high'],
    ['ReadFile', PATH, found('/home/ann/work/a.txt', { names: 2 }), 'high'],
    ['WriteFile', WRITE, found('/home/ann/work/a.txt', { kind: 'missing' }), 'medium'],
    ['WriteFile', WRITE, found('/home/ann/library/a.txt', { kind: 'missing' }), 'high'],
    ['WriteFile', { ...WRITE, overwrite: true }, found('/home/ann/work/a.txt'), 'high'],
    ['WriteFile', { ...WRITE, overwrite: true }, found('/home/ann/work/a.txt', { kind: 'missing' }), 'medium'],
    ['TrashFile', PATH, found('/home/ann/work/a.txt'), 'high'],
  ])('%s %j at %j is %s', (type, parameters, file, level) => {
    expect(assess(type, parameters, [file]).risk.level).toBe(level);
  });

  test('a move is judged by both of its places', () => {
    const from = found('/home/ann/work/a.txt', { path: '/a' });
    const inside = found('/home/ann/work/b.txt', { path: '/b', kind: 'missing' });
    const outside = found('/home/ann/b.txt', { path: '/b', kind: 'missing' });
    const move = (to: ResolvedPath) => assess('MoveFile', { from: '/a', to: '/b' }, [from, to]);
    expect([move(inside).risk.level, move(outside).risk.level]).toEqual(['medium', 'high']);
    expect(move(outside).risk.reasons).toEqual([
      '/home/ann/b.txt is outside of the folders that you allowed this requester to change.',
    ]);
  });

  test('a path that was not looked up is of high risk, and a secret spelling is blocked already', () => {
    expect(assess('ReadFile', { path: '/home/ann/work/a.txt' }, []).risk.level).toBe('high');
    expect(assess('ReadFile', { path: '/home/ann/x/../.ssh/id_rsa' }, []).forbidden).toContain('secret place');
  });
});

test('secrets, devices and pipes are blocked in an allowed folder too', () => {
  const secret = found('/home/ann/work/.env', { secret: 'settings with passwords and keys' });
  expect(assess('ReadFile', PATH, [secret]).forbidden).toBe(
    '/home/ann/work/.env is a secret place (settings with passwords and keys). No action may touch it.',
  );
  expect(assess('ReadFile', PATH, [found('/home/ann/work/pipe', { kind: 'special' })]).forbidden).toContain('a pipe');
});

test('an approval beyond the allowed folders counts once, because the path may lead elsewhere tomorrow', () => {
  const scopes = (file: ResolvedPath) =>
    offeredScopes(assess('WriteFile', WRITE, [file]), { arguments: '{}', inTask: false });
  expect(scopes(found('/etc/motd', { kind: 'missing' }))).toEqual(['once']);
  expect(scopes(found('/home/ann/work/a.txt', { kind: 'missing' }))).toContain('always');
});

test('the sentence names the place to which the path leads', () => {
  expect(assess('ReadFile', PATH, [found('/home/ann/work/a.txt')]).sentence).toBe('Read the file /home/ann/work/a.txt');
  const overwrite = assess('WriteFile', { ...WRITE, overwrite: true }, [found('/home/ann/work/a.txt')]);
  expect(overwrite.sentence).toBe('Overwrite the file /home/ann/work/a.txt with 1 bytes');
});

test.each([
  ['ReadFile', { path: 'notes.txt' }],
  ['ReadFile', { path: '~root/notes.txt' }],
  ['WriteFile', { path: '/a' }],
  ['WriteFile', { path: '/a', content: 'x', artifactId: 'art_01JZ6M6E7K3V4S8T9W0X1Y2Z3A' }],
  ['MoveFile', { from: '/a', to: 'b' }],
  ['ListFiles', { path: '/a', depth: 6 }],
])('%s %j is refused', (type, parameters) => {
  expect(CATALOGUE.get(type)?.assess(parameters)).toMatchObject({ ok: false });
});
