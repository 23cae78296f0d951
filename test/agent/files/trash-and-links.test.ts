import { linkSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { secretBehindLinks } from '../../../agent/files/hard-links.ts';
import { moveToTrash } from '../../../agent/files/linux-trash.ts';
import { createFilesRig } from './rig.ts';

let rig: ReturnType<typeof createFilesRig>;

beforeEach(() => {
  rig = createFilesRig();
});

afterEach(() => {
  vi.unstubAllEnvs();
  rig.remove();
});

test.each([
  [999, 'a.1000.txt'],
  [1_000, 'the trash has 1000 files of this name'],
])('a file whose name the trash has %d times is there as %s', async (times, expected) => {
  vi.stubEnv('XDG_DATA_HOME', rig.at('data'));
  mkdirSync(rig.at('data/Trash/info'), { recursive: true });
  writeFileSync(rig.at('data/Trash/info/a.txt.trashinfo'), '');
  for (let number = 2; number <= times; number += 1)
    writeFileSync(rig.at(`data/Trash/info/a.${number}.txt.trashinfo`), '');
  writeFileSync(rig.at('work/a.txt'), 'a');
  const path = rig.at('work/a.txt');
  const moved = moveToTrash({ from: path, realPath: path }, { home: { path: rig.at('.') }, now: new Date() });
  expect(await moved.then(basename, (error: Error) => error.message)).toBe(expected);
});

test.each([
  [499, 'a secret file under a second name'],
  [500, undefined],
])('with %d other files in the places of secrets, a hard link is %s', async (others, expected) => {
  for (const folder of ['.ssh', '.gnupg']) mkdirSync(rig.at(folder), { recursive: true });
  for (let index = 0; index < others; index += 1) writeFileSync(rig.at(`.ssh/${index}`), '');
  writeFileSync(rig.at('.gnupg/secret'), 'secret');
  linkSync(rig.at('.gnupg/secret'), rig.at('work/harmless.txt'));
  expect(await secretBehindLinks(statSync(rig.at('work/harmless.txt'), { bigint: true }), rig.at('.'))).toBe(expected);
});
