import { execFileSync } from 'node:child_process';
import { readdirSync, rmdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, type TestContext, test } from 'vitest';
import { skipWithout } from '../../runner/skip-without.ts';
import { rigOfTest } from '../rig-of-test.ts';
import { ledgerOf } from './ledger.ts';
import { createFilesRig } from './rig.ts';

/** An ordinary user may mount nothing and gets an empty disk of 256 KiB from the test that runs this file as that user. */
const given = process.env.SMALL_DISK;
const hasDisk = given !== undefined || (process.platform === 'linux' && process.geteuid?.() === 0 && tryMount());

const rig = rigOfTest(createFilesRig);

function tryMount(): boolean {
  try {
    execFileSync('sh', ['-c', 'unshare --mount mount -t tmpfs -o size=4k none /mnt'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

beforeEach(() => {
  if (given !== undefined) {
    for (const name of readdirSync(given)) rmSync(join(given, name), { recursive: true });
    rmdirSync(rig.at('work'));
    symlinkSync(given, rig.at('work'));
  } else if (hasDisk) execFileSync('sh', ['-c', 'mount -t tmpfs -o size=256k none "$0"', rig.at('work')]);
});

afterEach(() => {
  if (given === undefined && hasDisk) execFileSync('sh', ['-c', 'umount "$0"', rig.at('work')]);
});

/** Root has a disk, unless it may mount nothing: then the test fails. */
function skipWithoutDisk(context: TestContext): void {
  if (given === undefined) skipWithout('root', context);
  if (given === undefined) skipWithout('Linux', context);
  expect(hasDisk).toBe(true);
}

test('F7: a disk that is full in the middle of a write keeps the old file whole, and the answer says it', async (context) => {
  skipWithoutDisk(context);
  rig.write('work/notes.txt', 'notes\n');
  rig.write('work/filler', Buffer.alloc(220 * 1024));
  const before = ledgerOf(rig.at('work'));
  const parameters = { path: '~/work/notes.txt', content: 'x'.repeat(59_000), overwrite: true };
  expect(await rig.act('WriteFile', parameters)).toMatchObject({
    ok: false,
    code: 'too_large',
    sideEffect: 'none',
    message: expect.stringContaining('the disk is full'),
    fix: expect.stringContaining('Free some space'),
  });
  expect(ledgerOf(rig.at('work'))).toEqual(before);
  expect(await rig.act('WriteFile', { ...parameters, path: '~/work/new.txt', overwrite: false })).toMatchObject({
    code: 'too_large',
    sideEffect: 'none',
  });
  expect(ledgerOf(rig.at('work'))).toEqual(before);
});

test('F7: a disk that is full when a file is put back keeps the newer file whole', async (context) => {
  skipWithoutDisk(context);
  rig.write('work/notes.txt', 'n'.repeat(100_000));
  const written = await rig.act('WriteFile', { path: '~/work/notes.txt', content: 'short', overwrite: true });
  if (!written.ok || written.undo === undefined) throw new Error('it was not written');
  rig.write('work/filler', Buffer.alloc(200 * 1024));
  const before = ledgerOf(rig.at('work'));
  const undo = { undo: written.undo, formerAt: `${rig.root}/kept/former` };
  expect(await rig.perform('UndoFile', undo, [])).toMatchObject({
    ok: false,
    code: 'too_large',
    sideEffect: 'none',
    message: expect.stringContaining('the disk is full'),
  });
  expect(ledgerOf(rig.at('work'))).toEqual(before);
  expect([rig.read('work/notes.txt'), statSync(`${rig.root}/kept/former`).size]).toEqual(['short', 100_000]);
});
