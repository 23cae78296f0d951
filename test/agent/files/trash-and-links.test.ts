import { linkSync, renameSync, statSync, symlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test, vi } from 'vitest';
import { secretBehindLinks } from '../../../agent/files/secrets.ts';
import { type Finder, moveToTrash, trashFile } from '../../../agent/files/trash-file.ts';
import { rigOfTest } from '../rig-of-test.ts';
import { createFilesRig } from './rig.ts';

const rig = rigOfTest(createFilesRig);

test.each([
  [999, 'a.1000.txt'],
  [1_000, 'the trash has 1000 files of this name'],
])('a file whose name the trash has %d times is there as %s', async (times, expected) => {
  vi.stubEnv('XDG_DATA_HOME', rig.at('data'));
  rig.makeFolder('data/Trash/info');
  rig.write('data/Trash/info/a.txt.trashinfo', '');
  for (let number = 2; number <= times; number += 1) rig.write(`data/Trash/info/a.${number}.txt.trashinfo`, '');
  rig.write('work/a.txt', 'a');
  const path = rig.at('work/a.txt');
  const moved = moveToTrash({ from: path, realPath: path }, { home: { path: rig.at('.') }, now: new Date() });
  expect(await moved.then(basename, (error: Error) => error.message)).toBe(expected);
});

test.each([
  [499, 'a secret file under a second name'],
  [500, undefined],
])('with %d other files in the places of secrets, a hard link is %s', async (others, expected) => {
  for (const folder of ['.ssh', '.gnupg']) rig.makeFolder(folder);
  for (let index = 0; index < others; index += 1) rig.write(`.ssh/${index}`, '');
  rig.write('.gnupg/secret', 'secret');
  linkSync(rig.at('.gnupg/secret'), rig.at('work/harmless.txt'));
  expect(await secretBehindLinks(statSync(rig.at('work/harmless.txt'), { bigint: true }), rig.at('.'))).toBe(expected);
});

/** The Finder's way: a path, and no open folder. `between` is done by another program right before it. */
const byPath =
  (between: () => void): Finder =>
  async (realPath) => {
    between();
    rig.makeFolder('Trash');
    renameSync(realPath, rig.at('Trash/a.txt'));
    return rig.at('Trash/a.txt');
  };

async function trash(between: () => void) {
  rig.write('work/a.txt', 'judged');
  rig.makeFolder('private');
  rig.write('private/a.txt', 'the person’s');
  const targets = (await rig.judged('~/work/a.txt')).map((file) => ({ kind: 'path' as const, path: file.path, file }));
  const attempt = { signal: new AbortController().signal, deadlineMs: 5_000, targets };
  return trashFile({ path: '~/work/a.txt' }, attempt, byPath(between));
}

test('F13: a file that was put at the path right before the trash took it goes back', async () => {
  const outcome = await trash(() => {
    renameSync(rig.at('work/a.txt'), rig.at('work/b.txt'));
    renameSync(rig.at('private/a.txt'), rig.at('work/a.txt'));
  });
  expect(outcome).toMatchObject({ ok: false, code: 'target_changed', sideEffect: 'none' });
  expect(rig.read('work/a.txt')).toBe('the person’s');
  expect(rig.names('Trash')).toEqual([]);
});

test('F13: a file behind a folder that was swapped with a link goes back', async () => {
  const outcome = await trash(() => {
    renameSync(rig.at('work'), rig.at('moved'));
    symlinkSync(rig.at('private'), rig.at('work'));
  });
  expect(outcome).toMatchObject({ ok: false, code: 'target_changed' });
  expect(rig.read('private/a.txt')).toBe('the person’s');
  expect(rig.read('moved/a.txt')).toBe('judged');
});

test('a judged file is in the trash', async () => {
  expect(await trash(() => undefined)).toMatchObject({ ok: true, data: { trashedTo: rig.at('Trash/a.txt') } });
});

test('F15: a folder with a link that would lead out from its new place is not moved', async () => {
  rig.makeFolder('work/a/b/c/d');
  symlinkSync('../../.ssh/id_rsa', rig.at('work/a/b/c/x'));
  expect(await rig.act('MoveFile', { from: '~/work/a/b/c', to: '~/work/c' })).toMatchObject({
    ok: false,
    code: 'invalid_target',
    message: expect.stringContaining(`it holds ${rig.at('work/a/b/c/x')}, a link that would lead out of`),
  });
  expect(rig.names('work/a/b')).toEqual(['c']);
});

test('a folder with links that lead nowhere else from its new place is moved', async () => {
  rig.makeFolder('work/a/b/c/d');
  symlinkSync('../x', rig.at('work/a/b/c/d/within'));
  symlinkSync('../../shared', rig.at('work/a/b/c/beside'));
  symlinkSync(rig.at('.ssh'), rig.at('work/a/b/c/whole'));
  expect(await rig.act('MoveFile', { from: '~/work/a/b/c', to: '~/work/a/b/e' })).toMatchObject({ ok: true });
  expect(rig.names('work/a/b/e')).toEqual(['beside', 'd', 'whole']);
});
