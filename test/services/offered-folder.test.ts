import { expect, test } from 'vitest';
import type { ResolvedPath } from '../../src/contract/files.ts';
import { offeredFolder } from '../../src/services/confirmations/view.ts';

function offered(
  paths: readonly string[],
  { level = 'high' as const, ...of }: Record<string, unknown> & { level?: 'high' | 'critical' } = {},
) {
  const file = (path: string): ResolvedPath => ({ path, realPath: path, kind: 'file', ...of }) as ResolvedPath;
  const targets = paths.map((path) => ({ kind: 'path' as const, path, file: file(path) }));
  return offeredFolder({ actionType: 'MoveFile', targets, risk: { level, reasons: [] } }, { outside: paths }).folder;
}

test('a rename in a folder offers that folder, and a move between two offers none', () => {
  expect(offered(['/home/ann/Reports/a', '/home/ann/Reports/b'])).toEqual({
    path: '/home/ann/Reports',
    access: 'write',
  });
  expect(offered(['/home/ann/Reports/a', '/home/ann/Other/b'])).toBeUndefined();
});

test('nothing is offered at critical risk, for a secret, and for a path that was not found', () => {
  expect(offered(['/home/ann/Reports/a'])).toBeDefined();
  expect(offered(['/home/ann/Reports/a'], { level: 'critical' })).toBeUndefined();
  expect(offered(['/home/ann/Reports/a'], { secret: 'a key' })).toBeUndefined();
  const lost = { actionType: 'MoveFile', targets: [], risk: { level: 'high' as const, reasons: [] } };
  expect(offeredFolder(lost, { outside: ['/home/ann/Reports/a'] })).toEqual({});
});

test('the folder in which a Mac keeps settings, mail and keys of programs is hidden, and never offered', () => {
  expect(offered(['/Users/ann/Library/notes.txt'])).toBeUndefined();
  expect(offered(['/Users/ann/Library/Application Support/Mail/notes.txt'])).toBeUndefined();
  expect(offered(['/home/ann/Library/notes.txt'])).toBeDefined();
  expect(offered(['/Users/ann/Reports/Library/notes.txt'])).toBeDefined();
});

test('a folder is offered on this computer only', () => {
  const paths = ['/home/ann/Reports/a'];
  const [path = ''] = paths;
  const file = { path, realPath: path, kind: 'file' } as ResolvedPath;
  const action = {
    actionType: 'MoveFile',
    targets: [{ kind: 'path' as const, path: file.path, file }],
    risk: { level: 'high' as const, reasons: [] },
  };
  expect(offeredFolder(action, { outside: paths })).toMatchObject({ folder: { path: '/home/ann/Reports' } });
  expect(offeredFolder(action, { outside: paths, machine: 'studio' })).toEqual({});
});
