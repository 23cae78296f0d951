import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LONG_TESTS, MODEL_TESTS } from '../runner/long-tests.ts';
import { shareOf } from '../runner/share.ts';
import { TALLY_FILE_VARIABLE, type Tally } from '../runner/tally.ts';
import type { Answer, Question } from './copy-tests.ts';
import { EVERY_GUARD } from './every-guard.ts';
import type { Guard } from './guards.ts';
import { placesOf, withoutGuard } from './marks.ts';
import { outOfDate, unknownNames } from './out-of-date.ts';

/**
 * `npm run test:guards`: takes each guard out of a copy of the project, one after the other, and runs the tests that hold it: a
 * guard without which nothing fails is not held. `npm test` asks for a share of them. With arguments only the guards of these rows, for instance
 * `npm run test:guards -- A4 S1`. The exit code is 1 if one is not held.
 */
const root = join(import.meta.dirname, '../..');
/** `npm test` takes out one guard in so many. */
const SHARES = 6;
/** Copies of the project in which guards are taken out side by side. */
const AT_ONCE = 2;
/** A copy of the project, and the process that runs its tests. */
type Copy = { folder: string; tests: ChildProcess; ended: Promise<[Answer]> };
const NOT_COPIED = ['.git', 'node_modules', 'renderer/dist'].map((name) => join(root, name));

process.exitCode = await main(process.argv.slice(2));

async function main(rows: readonly string[]): Promise<number> {
  const chosen = rows.length === 0 ? shareOf(EVERY_GUARD, SHARES) : EVERY_GUARD.filter(({ row }) => rows.includes(row));
  const unknown = chosen.flatMap(outOfDate);
  for (const problem of unknown) console.log(problem);
  if (unknown.length > 0) return 1;
  const waiting = [...chosen];
  const failed: string[] = [];
  await inCopy(async ({ folder }) => {
    failed.push(...unknownNames(folder, chosen));
    for (const names of failed) console.log(names);
  });
  await Promise.all(Array.from({ length: AT_ONCE }, () => inCopy((copy) => checkAll({ waiting, failed, copy }))));
  const passed = Math.max(0, chosen.length - failed.length);
  console.log(`\n${passed} of ${chosen.length} guards are held by a test`);
  writeTally({ passed, failed, skipped: [], repeated: [] });
  return failed.length === 0 && chosen.length > 0 ? 0 : 1;
}

async function inCopy(work: (copy: Copy) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-guards-'));
  try {
    cpSync(root, folder, { recursive: true, filter: (path) => !NOT_COPIED.includes(path) });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const tests = fork(join(folder, 'test/guards/copy-tests.ts'), {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const ended = once(tests, 'exit').then((): [Answer] => [{ broken: 'its process ended' }]);
    await work({ folder, tests, ended }).finally(() => tests.kill());
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Takes guards from those that wait until there are none. */
async function checkAll(of: { waiting: Guard[]; failed: string[]; copy: Copy }): Promise<void> {
  for (let guard = of.waiting.shift(); guard !== undefined; guard = of.waiting.shift()) {
    const isHeldByTest = await isHeld(guard, of.copy);
    if (!isHeldByTest) of.failed.push(`${guard.removed.mark}: no test holds ${guard.removed.what}`);
  }
}

/** For `npm test`, which counts each guard as a test. */
function writeTally(tally: Tally): void {
  const file = process.env[TALLY_FILE_VARIABLE];
  if (file !== undefined) writeFileSync(file, JSON.stringify(tally));
}

async function isHeld({ row, removed, failed }: Guard, copy: Copy): Promise<boolean> {
  const [changed = ''] = placesOf(removed.mark);
  const path = join(copy.folder, changed);
  const whole = readFileSync(path, 'utf8');
  writeFileSync(path, withoutGuard(whole, removed));
  const title = titleUntilPlaceholder(failed.title);
  const startedAt = performance.now();
  const file = failed.ranBy ?? failed.file;
  const failures = await failuresOf(copy, { project: projectOf(file), file, title, changed });
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  writeFileSync(path, whole);
  const isNoticed = failures.some((name) => name.includes(title));
  console.log(
    `${isNoticed ? 'held' : 'NOT HELD'}  ${row}  ${changed} (${removed.mark}): ${removed.what} (${seconds} s)`,
  );
  console.log(failures.map((name) => `        failed: ${name}`).join('\n') || '        nothing failed');
  return isNoticed;
}

/** Full names of the tests with this title that fail. Throws when the file did not come to its end. */
async function failuresOf({ tests, ended }: Copy, question: Question): Promise<string[]> {
  const answered = once(tests, 'message');
  tests.send(question);
  const [answer] = (await Promise.race([answered, ended])) as [Answer];
  if ('broken' in answer) throw new Error(`${question.file} did not come to its end: ${answer.broken}`);
  return answer.failed;
}

function projectOf(file: string): string {
  if (file.startsWith('test/browser/')) return 'browser';
  if (LONG_TESTS.includes(file)) return 'long';
  if (MODEL_TESTS.includes(file)) return 'models';
  return /^test\/(e2e|desktop|machines|agent\/scripts)\//.test(file) ? 'desktop' : 'fast';
}

/** What is filled in differs from case to case. */
function titleUntilPlaceholder(title: string): string {
  return title.split(/[%$]/, 1)[0] ?? title;
}
