import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { shareOf } from '../runner/share.ts';

/** Each part of the bench, on so little that it shows only that it runs to its end. Its figures are no verdict. */
const root = join(import.meta.dirname, '../..');

async function bench(...parts: string[]): Promise<{ stdout: string; stderr: string }> {
  const env = { ...process.env, HANDRAIL_BENCH: 'quick', HANDRAIL_KILLS: '4' };
  const args = [join(root, 'src/launch/launch.cjs'), 'test/bench/run.ts', ...parts];
  // It ends with another code where a goal was missed.
  return promisify(execFile)(process.execPath, args, { cwd: root, env }).catch((error) => error);
}

const NAMES = /^ {2}parts {4}(.+)$/mu.exec((await bench('--help')).stdout)?.[1]?.split(', ') ?? [];

test('the help of the bench names its parts', () => expect(NAMES).toContain('screenshots'));

/** `jobs` and `cost` have tests of their own, which are more patient. */
const OTHERS = NAMES.filter((name) => !['jobs', 'cost'].includes(name));

// A third of the files of this project runs in a landing; a quarter of the parts is another quarter each time.
test.each(shareOf(OTHERS, 4))('the part %s of the bench runs to its end', { timeout: 300_000 }, async (name) => {
  const { stdout, stderr } = await bench(name);
  expect(stdout.trimEnd().split('\n').at(-1), stderr).toMatch(/^(?:every goal was met|missed: )/u);
});
