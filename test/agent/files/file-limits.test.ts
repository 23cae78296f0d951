import { execFileSync } from 'node:child_process';
import { truncateSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Outcome } from '../../../agent/drivers/outcome.ts';
import { reasonAgainstMoving } from '../../../agent/files/secrets.ts';
import type { ListedFiles } from '../../../src/contract/files.ts';
import { rigOfTest } from '../rig-of-test.ts';
import { createFilesRig } from './rig.ts';

const MIB = 1024 * 1024;

const rig = rigOfTest(createFilesRig);

beforeEach(() => {
  rig.makeFolder('work/many');
});
const codeOf = (outcome: Outcome<unknown>) => (outcome.ok ? 'done' : outcome.code);

/** Files 1 to `count`, with names that end in `after`. */
function makeFiles(count: number, { folder = 'work/many', after = '' } = {}): void {
  const command = `seq -f '%g${after}' 1 ${count} | xargs touch`;
  execFileSync('sh', ['-c', command], { cwd: rig.at(folder) });
}

async function listed(parameters: object): Promise<ListedFiles> {
  const outcome = await rig.act('ListFiles', { path: '~/work/many', ...parameters });
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome.data as ListedFiles;
}

describe('ReadFile', () => {
  test.each([
    [MIB, 'done'],
    [MIB + 1, 'too_large'],
  ])('of %d bytes without a limit from the caller: %s', async (bytes, code) => {
    rig.write('work/a.txt', 'x'.repeat(bytes));
    expect(codeOf(await rig.act('ReadFile', { path: '~/work/a.txt' }))).toBe(code);
  });

  test.each([
    [1_900_000, 'done'],
    [1_900_001, 'too_large'],
  ])('of a text of %d bytes as JSON: %s', async (bytes, code) => {
    rig.write('work/a.txt', 'x'.repeat(bytes - 2));
    expect(codeOf(await rig.act('ReadFile', { path: '~/work/a.txt', maxBytes: 10 * MIB }))).toBe(code);
  });
});

describe('ListFiles', () => {
  test.each([
    [500, true],
    [501, false],
  ])('of %d files without a limit from the caller lists 500, complete: %s', async (files, complete) => {
    makeFiles(files);
    const { entries, complete: isWhole } = await listed({});
    expect([entries.length, isWhole]).toEqual([500, complete]);
  });

  test('answers 1.8 MB of entries at most', async () => {
    const folder = `work/many/${'y'.repeat(200)}`;
    rig.makeFolder(folder);
    makeFiles(5_000, { folder, after: `-${'x'.repeat(200)}` });
    const { entries, complete } = await listed({ depth: 2, limit: 5_000 });
    const bytes = Buffer.byteLength(JSON.stringify(entries));
    expect([complete, bytes > 1_799_000, bytes < 1_801_000]).toEqual([false, true, true]);
  });
});

test.each([
  // Nothing is copied, because the daemon named no folder for the former version.
  [256 * MIB, 'internal_error'],
  [256 * MIB + 1, 'too_large'],
])('WriteFile over a file of %d bytes: %s', { timeout: 60_000 }, async (bytes, code) => {
  rig.write('work/a.bin', '');
  truncateSync(rig.at('work/a.bin'), bytes);
  const parameters = { path: '~/work/a.bin', content: 'x', overwrite: true };
  const outcome = await rig.perform('WriteFile', parameters, await rig.judged('~/work/a.bin'), { keepAt: undefined });
  expect(codeOf(outcome)).toBe(code);
});

test('MoveFile looks at 20,000 entries of a folder, and refuses a folder with more', async () => {
  makeFiles(20_000);
  const { signal } = new AbortController();
  const [folder] = await rig.judged('~/work/many');
  if (folder === undefined) throw new Error('no folder');
  expect(await reasonAgainstMoving(folder, { signal })).toBeUndefined();
  rig.write('work/many/one-more', '');
  expect(await reasonAgainstMoving(folder, { signal })).toBe('it holds too many files to look at each');
});
