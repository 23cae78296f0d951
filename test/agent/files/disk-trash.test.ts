import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { moveToTrash } from '../../../agent/files/trash-file.ts';
import { machineHas } from '../../runner/machine-needs.ts';
import { skipAllWithout } from '../../runner/skip-without.ts';
import { rigOfTest } from '../rig-of-test.ts';
import { createFilesRig } from './rig.ts';

const rig = rigOfTest(createFilesRig);
const hasDisk = machineHas('root') && machineHas('Linux');
const UID = String(process.getuid?.());

skipAllWithout('root');
skipAllWithout('Linux');

/** The folder `work` is a disk of its own. */
beforeEach(() => {
  if (hasDisk) execFileSync('sh', ['-c', 'mount -t tmpfs -o size=256k none "$0"', rig.at('work')]);
  rig.makeFolder('work/folder');
  rig.write('work/folder/a.txt', 'a');
});

afterEach(() => {
  if (hasDisk) execFileSync('sh', ['-c', 'umount "$0"', rig.at('work')]);
});

function trashed(): Promise<string> {
  const path = rig.at('work/folder/a.txt');
  return moveToTrash({ from: path, realPath: path }, { home: { path: rig.at('.') }, now: new Date() });
}

test('a file of another disk goes to the trash of that disk, with its path from there', async () => {
  expect(await trashed()).toBe(rig.at(`work/.Trash-${UID}/files/a.txt`));
  expect(rig.read(`work/.Trash-${UID}/info/a.txt.trashinfo`)).toContain('Path=folder/a.txt\n');
  expect(rig.has('.local/share/Trash')).toBe(false);
});

test('a trash for all users of a disk is used', async () => {
  rig.makeFolder('work/.Trash');
  chmodSync(rig.at('work/.Trash'), 0o1777);
  expect(await trashed()).toBe(rig.at(`work/.Trash/${UID}/files/a.txt`));
});

test.each(['without the sticky bit', 'that is a link'])('a trash for all users %s is not used', async (how) => {
  const place = how === 'that is a link' ? 'work/elsewhere' : 'work/.Trash';
  mkdirSync(rig.at(place));
  chmodSync(rig.at(place), how === 'that is a link' ? 0o1777 : 0o777);
  if (how === 'that is a link') symlinkSync(rig.at(place), rig.at('work/.Trash'));
  expect(await trashed()).toBe(rig.at(`work/.Trash-${UID}/files/a.txt`));
  expect(readdirSync(rig.at(place))).toEqual([]);
});

test('a link to nothing in the trash keeps its name', async () => {
  rig.makeFolder(`work/.Trash-${UID}/files`);
  symlinkSync('/nowhere', rig.at(`work/.Trash-${UID}/files/a.txt`));
  expect(await trashed()).toBe(rig.at(`work/.Trash-${UID}/files/a.2.txt`));
});
