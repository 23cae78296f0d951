import {
  chmodSync,
  closeSync,
  mkdirSync,
  opendirSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { moveToTrash } from '../../../agent/files/trash-file.ts';
import type { ListedFiles } from '../../../src/contract/files.ts';
import { skipWithout } from '../../runner/skip-without.ts';
import { rigOfTest } from '../rig-of-test.ts';
import { createFilesRig } from './rig.ts';

const rig = rigOfTest(createFilesRig);

/** Does something in each turn of the event loop, beside the work that waits for the disk. */
function inEachTurn(work: () => void): { stop(): void } {
  let next = setImmediate(turn);
  function turn(): void {
    work();
    next = setImmediate(turn);
  }
  return { stop: () => clearImmediate(next) };
}

test.each(['a/.env', 'a/b/.env', 'a/b/c/.env', 'a/b/c/d/e/.env'])(
  'F5: a folder is not moved with the secret %s in it',
  async (secret) => {
    mkdirSync(join(rig.at('work/box'), secret, '..'), { recursive: true });
    writeFileSync(join(rig.at('work/box'), secret), 'SECRET');
    const answer = await rig.act('MoveFile', { from: '~/work/box', to: '~/work/other' });
    expect(answer).toMatchObject({ ok: false, code: 'invalid_target', sideEffect: 'none' });
    expect(rig.names('work')).toEqual(['box']);
  },
);

test.each(['file', 'folder'])('MoveFile does not move a %s over an empty folder', async (kind) => {
  if (kind === 'file') rig.write('work/a', 'a');
  else rig.makeFolder('work/a');
  rig.makeFolder('work/b');
  const { ino } = statSync(rig.at('work/b'));
  const answer = await rig.act('MoveFile', { from: '~/work/a', to: '~/work/b' });
  expect(answer).toMatchObject({ ok: false, code: 'already_exists', sideEffect: 'none' });
  expect([rig.names('work'), statSync(rig.at('work/b')).ino]).toEqual([['a', 'b'], ino]);
});

test('ReadFile gives no text that holds a null character', async () => {
  rig.write('work/a', 'a\0b');
  expect(await rig.act('ReadFile', { path: '~/work/a' })).toMatchObject({ ok: false, code: 'not_supported' });
});

test('F2: WriteFile does not replace a file that took the name after the former one was kept', async () => {
  rig.write('work/a', 'former');
  const { signal } = new AbortController();
  // It is asked for the last time before the new file takes the name.
  Object.defineProperty(signal, 'aborted', {
    get() {
      rig.write('work/b', 'of another program');
      renameSync(rig.at('work/b'), rig.at('work/a'));
      return false;
    },
  });
  const answer = await rig.act('WriteFile', { path: '~/work/a', content: 'new', overwrite: true }, { signal });
  expect(answer).toMatchObject({ ok: false, code: 'target_changed' });
  expect([rig.read('work/a'), rig.names('work')]).toEqual(['of another program', ['a']]);
});

test('WriteFile does not confirm contents that are no longer there when it reads them back', async () => {
  const other = inEachTurn(() => {
    if (rig.has('work/a')) rig.write('work/a', 'of another program');
  });
  const answer = await rig.act('WriteFile', { path: '~/work/a', content: 'new' }).finally(other.stop);
  expect(answer).toMatchObject({ ok: true, effect: 'unverified' });
});

test('WriteFile takes the rights to run as another user from a file that it overwrites', async () => {
  rig.write('work/a', 'former');
  chmodSync(rig.at('work/a'), 0o6755);
  expect(await rig.act('WriteFile', { path: '~/work/a', content: 'new', overwrite: true })).toMatchObject({ ok: true });
  expect(statSync(rig.at('work/a')).mode & 0o7777).toBe(0o755);
});

test.each([
  [1, ['1']],
  [2, ['1', '1/2']],
  [3, ['1', '1/2', '1/2/3']],
  [5, ['1', '1/2', '1/2/3', '1/2/3/4', '1/2/3/4/5']],
])('ListFiles with the depth %d lists so many levels', async (depth, paths) => {
  rig.makeFolder('work/1/2/3/4/5/6');
  const answer = await rig.act('ListFiles', { path: '~/work', depth });
  expect(answer).toMatchObject({ ok: true, data: { complete: true, entries: paths.map((path) => ({ path })) } });
});

/** Makes a folder whose own path is short enough to be opened, and in it folders of which the first are too deep. */
function folderWithDeepOnes(): string {
  let path = rig.at('work');
  let folder = openSync(path, 'r');
  const make = (name: string) => mkdirSync(`/proc/self/fd/${folder}/${name}`);
  while (path.length < 3_800) {
    const name = 'd'.repeat(Math.min(200, 3_850 - path.length));
    make(name);
    const below = openSync(`/proc/self/fd/${folder}/${name}`, 'r');
    closeSync(folder);
    [folder, path] = [below, join(path, name)];
  }
  make('deep'.repeat(62));
  // Folders are listed as the disk has them, and the last one is to be one that can be opened.
  for (let count = 0; lastIn(`/proc/self/fd/${folder}`).length > 200; count += 1) make(`z${count}`);
  closeSync(folder);
  return path;
}

function lastIn(path: string): string {
  const folder = opendirSync(path);
  const names: string[] = [];
  for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) names.push(entry.name);
  folder.closeSync();
  return names.at(-1) ?? '';
}

test('ListFiles says that a list is not complete when a folder in it could not be opened, whatever came after it', async (context) => {
  skipWithout('Linux', context);
  const path = folderWithDeepOnes();
  const answer = await rig.act('ListFiles', { path, depth: 2 });
  const { entries, complete } = (answer as { data: ListedFiles }).data;
  expect(entries.length).toBeGreaterThan(1);
  expect(complete).toBe(false);
});

test('F6: a file that is touched while an undo reads it stays as it is', async (context) => {
  skipWithout('Linux', context);
  rig.write('work/a', 'former');
  const written = await rig.act('WriteFile', { path: '~/work/a', content: 'x'.repeat(60_000), overwrite: true });
  let seconds = 1_000;
  const other = inEachTurn(() => {
    if (isOpen(rig.at('work/a'))) utimesSync(rig.at('work/a'), 0, ++seconds);
  });
  const parameters = { undo: written.ok ? written.undo : undefined, formerAt: join(rig.root, 'kept/former') };
  const answer = await rig.perform('UndoFile', parameters, []).finally(other.stop);
  expect(seconds).toBeGreaterThan(1_001);
  expect(answer).toMatchObject({ ok: false, code: 'target_changed', sideEffect: 'none' });
  expect(rig.read('work/a')).toHaveLength(60_000);
});

/** Whether this process has a file open. */
function isOpen(path: string): boolean {
  return readdirSync('/proc/self/fd').some((number) => {
    try {
      return readlinkSync(`/proc/self/fd/${number}`) === path;
    } catch {
      return false;
    }
  });
}

test('a file that cannot be moved to the trash leaves no description there', async () => {
  const from = rig.at('work/not-there');
  const home = { path: rig.home };
  const moved = moveToTrash({ from, realPath: from }, { home, now: new Date() });
  await expect(moved).rejects.toMatchObject({ code: 'ENOENT' });
  const trash = join(process.env.XDG_DATA_HOME ?? rig.at('.local/share'), 'Trash');
  expect(readdirSync(join(trash, 'info')).filter((name) => name.startsWith('not-there'))).toEqual([]);
});
