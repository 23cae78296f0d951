import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { electronBinary } from '../src/launch/electron-binary.cjs';
import { toolScript } from '../src/launch/launch.cjs';
import { excusesOn, thisMachine } from './runner/machine-needs.ts';
import { provideNeeds, TEST_NEEDS } from './runner/needs.ts';
import { SHARE_VARIABLE } from './runner/share.ts';
import {
  type Counted,
  filesToRepeat,
  report,
  TALLY_FILE_VARIABLE,
  type Tally,
  tallyOfCounted,
  tallyOfStep,
  tallyOfTests,
  totalOf,
  withRepetition,
} from './runner/tally.ts';

/**
 * `npm test`: everything that can be checked on this machine. Every step runs, whatever became of the ones before; the
 * last line on standard output is `N passed, N failed` with, if any, `, N skipped`. The exit code is 1 if anything failed.
 * With arguments only the steps of these names run, for instance `npm test -- lint fast`. The checks run side by side, before the tests.
 * Of some tests that take long only a share runs, chosen by the commit: see `shareOf`. With the argument `whole` all of them run.
 */

type Step =
  | { name: string; kind: 'check'; tool: Tool; args: readonly string[] }
  | {
      name: string;
      kind: 'tests';
      onlyOn?: 'linux' | 'darwin';
      needsPrograms?: true;
      needsElectron?: true;
      onlyNamed?: true;
      /** The step that it runs beside, where both run: together they use the processors better. */
      beside?: string;
      /** Of so many shares of its files one runs, chosen by the commit. */
      shares?: number;
      /**
       * Real windows and a real browser now and then stumble over a busy machine, so a CI run repeats a file that failed: the
       * whole of it, since its tests may build on one another.
       */
      mayRepeat?: true;
    }
  | { name: string; kind: 'script'; file: string; onlyNamed: true; needsPrograms: true };
type Tool = Parameters<typeof toolScript>[0];
type Check = Extract<Step, { kind: 'check' }>;
type TestStep = Extract<Step, { kind: 'tests' }>;
/** A step that runs tests, with a tally of its own. */
type Runnable = Exclude<Step, Check>;

const STEPS: readonly Step[] = [
  { name: 'lint', kind: 'check', tool: 'biome', args: ['ci', '--error-on-warnings', '.'] },
  { name: 'types', kind: 'check', tool: 'tsc', args: ['-p', '.', ...checking('types')] },
  { name: 'page-types', kind: 'check', tool: 'tsc', args: ['-p', 'renderer', ...checking('page-types')] },
  { name: 'unused', kind: 'check', tool: 'knip', args: ['--no-progress'] },
  { name: 'fast', kind: 'tests' },
  { name: 'long', kind: 'tests' },
  { name: 'faults', kind: 'tests' },
  { name: 'models', kind: 'tests' },
  { name: 'desktop', kind: 'tests', onlyOn: 'linux', needsPrograms: true, shares: 3, mayRepeat: true },
  { name: 'loads', kind: 'tests', onlyOn: 'linux', needsPrograms: true, mayRepeat: true },
  { name: 'browser', kind: 'tests', needsPrograms: true, shares: 3, mayRepeat: true },
  { name: 'packaging', kind: 'tests', onlyOn: 'linux', needsPrograms: true, beside: 'faults', mayRepeat: true },
  { name: 'electron', kind: 'tests', needsElectron: true },
  { name: 'macos', kind: 'tests', onlyOn: 'darwin' },
  { name: 'guards', kind: 'script', file: 'test/guards/run.ts', needsPrograms: true, onlyNamed: true },
  { name: 'install', kind: 'tests', onlyOn: 'linux', onlyNamed: true },
];
/** A name for all steps that run when none is named. */
const ALL = 'all';
/** A name for all cases of each step. */
const WHOLE = 'whole';
const STEP_TIMEOUT_MS = 30 * 60_000;
const PLATFORM_NAMES = { linux: 'Linux', darwin: 'macOS' };

const root = join(import.meta.dirname, '..');

process.exitCode = await main(process.argv.slice(2));

/**
 * Makes tsc check only the files that changed since the last check, and those that depend on them. By default tsc has four checkers,
 * and each of them works out shared types again. Two processes of tsc run at once, so each has half as many as there are processors.
 */
function checking(name: string): string[] {
  const checkers = Math.max(1, Math.floor(availableParallelism() / 2));
  const memory = ['--incremental', '--tsBuildInfoFile', `node_modules/.cache/${name}.tsbuildinfo`];
  return ['--checkers', String(checkers), ...memory];
}

async function main(names: readonly string[]): Promise<number> {
  const known = [ALL, WHOLE, ...STEPS.map(({ name }) => name)];
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) return refuse(`There is no step ${unknown}; the steps are ${known}`);
  if (!names.includes(WHOLE)) process.env[SHARE_VARIABLE] = String(numberOfCommit());
  const steps = STEPS.filter((step) => names.includes(step.name) || (isUsual(step) && asksForAll(names)));
  const problem = needsPrograms(steps)
    ? provideNeeds(TEST_NEEDS, {
        ...thisMachine(),
        environment: process.env,
        isDebian: existsSync('/etc/debian_version'),
      })
    : null;
  if (problem !== null) return refuse(problem);
  const tallies = await runChecks(steps.filter(isCheck));
  const runnable = steps.filter((step): step is Runnable => !isCheck(step));
  const besides = (step: Runnable) =>
    step.kind === 'tests' ? runnable.find(({ name }) => name === step.beside) : undefined;
  for (const step of runnable.filter((each) => besides(each) === undefined)) {
    const companions = runnable.filter((each) => besides(each) === step);
    tallies.push(...(await runBeside(step, companions)));
  }
  const total = totalOf(tallies);
  console.log(`\n${report(total)}`);
  return total.failed.length === 0 ? 0 : 1;
}

/** It differs from one commit to the next. A folder without git has 0. */
function numberOfCommit(): number {
  const { stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' });
  return Number.parseInt(stdout?.slice(0, 8) || '0', 16);
}

function isCheck(step: Step): step is Check {
  return step.kind === 'check';
}

function secondsSince(startedAt: number): string {
  return `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
}

function isUsual(step: Step): boolean {
  return step.kind === 'check' || step.onlyNamed !== true;
}

function asksForAll(names: readonly string[]): boolean {
  return names.every((name) => name === WHOLE) || names.includes(ALL);
}

function needsPrograms(steps: readonly Step[]): boolean {
  return process.platform === 'linux' && steps.some((step) => step.kind !== 'check' && step.needsPrograms);
}

function refuse(message: string): number {
  console.error(message);
  console.log('0 passed, 1 failed');
  return 1;
}

/** Runs them side by side: each uses one processor for much of its time. The output of each is shown when it has ended. */
function runChecks(checks: readonly Check[]): Promise<Tally[]> {
  return Promise.all(
    checks.map(async ({ name, tool, args }) => {
      const startedAt = performance.now();
      const { exitCode, output } = await runQuietly(toolScript(tool), args);
      console.log(`\n=== ${name} ===\n${output}${name} took ${secondsSince(startedAt)}`);
      return tallyOfStep(name, exitCode);
    }),
  );
}

/** Runs a step and its companions side by side. The output of the step is shown at once, that of a companion when both have ended. */
async function runBeside(step: Runnable, companions: readonly Runnable[]): Promise<Tally[]> {
  console.log(`\n=== ${step.name} ===`);
  const startedAt = performance.now();
  const tookSince = ({ name }: Runnable) => `${name} took ${secondsSince(startedAt)}`;
  const together = companions.map(async (companion) => {
    const texts: string[] = [];
    const tally = await runTests(companion, async (script, args, settings) => {
      const { exitCode, output } = await runQuietly(script, args, settings);
      texts.push(output);
      return exitCode;
    });
    return {
      tally,
      text: `\n=== ${companion.name}, beside ${step.name} ===\n${texts.join('')}${tookSince(companion)}`,
    };
  });
  const tally = await runTests(step, run);
  console.log(tookSince(step));
  const ended = await Promise.all(together);
  for (const { text } of ended) console.log(text);
  return [tally, ...ended.map((each) => each.tally)];
}

async function runTests(step: Runnable, runScript: typeof run): Promise<Tally> {
  if (step.kind === 'script') return runWithOwnTally(step);
  const problem = whyNotHere(step);
  if (problem !== undefined) return notRun(step, problem);
  const runFiles = (files: readonly string[]) =>
    writing<Counted>((file) =>
      runScript(toolScript('vitest'), ['run', ...projectOf(step), ...files], { [TALLY_FILE_VARIABLE]: file }),
    );
  let { exitCode, written } = await runFiles(shareOfFiles(step));
  const failed = step.mayRepeat && process.env.CI !== undefined && written !== undefined ? filesToRepeat(written) : [];
  if (failed.length > 0 && written !== undefined) {
    const again = await runFiles(failed);
    exitCode = again.exitCode;
    written = again.written === undefined ? undefined : withRepetition(written, again.written);
  }
  const excuses = excusesOn(thisMachine());
  return tallyOfTests(
    { name: step.name, exitCode, excuses },
    written === undefined ? undefined : tallyOfCounted(written),
  );
}

/** Why the tests of a step cannot run on this machine. */
function whyNotHere({ onlyOn, needsElectron }: TestStep): string | undefined {
  if (onlyOn !== undefined && onlyOn !== process.platform) return `needs ${PLATFORM_NAMES[onlyOn]}`;
  const { platform, env: environment } = process;
  if (needsElectron !== true || electronBinary({ root, platform, environment }) !== undefined) return undefined;
  return 'needs the binary of Electron, which `npm run get-electron` fetches';
}

/** A script that writes its own tally. */
async function runWithOwnTally({ name, file: script }: Extract<Step, { kind: 'script' }>): Promise<Tally> {
  const { exitCode, written } = await writing<Tally>((file) =>
    run(join(root, script), [], { [TALLY_FILE_VARIABLE]: file }),
  );
  return tallyOfTests({ name, exitCode }, written);
}

function projectOf(step: TestStep): string[] {
  return ['--config=test/vitest.config.ts', `--project=${step.name}`];
}

function shareOfFiles({ shares }: TestStep): string[] {
  const seed = process.env[SHARE_VARIABLE];
  return shares === undefined || seed === undefined ? [] : [`--shard=${(Number(seed) % shares) + 1}/${shares}`];
}

/** Names the tests without loading them. With `REQUIRE_ELECTRON=1` those that need Electron have failed by its absence. */
async function notRun(step: TestStep, reason: string): Promise<Tally> {
  if (!existsSync(join(root, 'test', step.name))) return { passed: 0, failed: [], skipped: [], repeated: [] };
  const { exitCode, written } = await writing<{ name: string; file: string }[]>((file) =>
    run(toolScript('vitest'), ['list', `--json=${file}`, ...projectOf(step)]),
  );
  const skipped = (written ?? []).map(({ name, file }) => ({ name: `${relative(root, file)} > ${name}`, reason }));
  console.log(`${skipped.length} tests are not run: ${reason}`);
  if (step.needsElectron && process.env.REQUIRE_ELECTRON === '1') {
    return { passed: 0, failed: skipped.map(({ name }) => `${name}: ${reason}`), skipped: [], repeated: [] };
  }
  return {
    passed: 0,
    failed: exitCode === 0 ? [] : [`${step.name}: its tests cannot be listed`],
    skipped,
    repeated: [],
  };
}

/** Runs a command with a file of its own to write JSON to. `written` is undefined when it wrote nothing. */
async function writing<Written>(command: (file: string) => Promise<number>) {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-tests-'));
  const file = join(folder, 'written.json');
  const exitCode = await command(file);
  const written: Written | undefined = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  rmSync(folder, { recursive: true });
  return { exitCode, written };
}

/** Runs a script and hands over everything it wrote. */
async function runQuietly(
  script: string,
  args: readonly string[],
  settings: Record<string, string> = {},
): Promise<{ exitCode: number; output: string }> {
  const env = { ...process.env, ...settings };
  const child = start(script, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
  return { exitCode: await endOf(child, script), output };
}

function run(script: string, args: readonly string[], settings: Record<string, string> = {}): Promise<number> {
  const env = { ...process.env, ...settings };
  return endOf(start(script, args, { env, stdio: ['ignore', 'inherit', 'inherit'] }), script);
}

function start(script: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const always = { cwd: root, timeout: STEP_TIMEOUT_MS, killSignal: 'SIGKILL' } as const;
  return spawn(process.execPath, [script, ...args], { ...always, ...options });
}

/** The exit code of a script. It is 1 when the script cannot be started, is killed or takes too long. */
async function endOf(child: ChildProcess, script: string): Promise<number> {
  try {
    const [code, signal] = await once(child, 'close');
    if (signal !== null) console.error(`${script} was ended by ${signal}`);
    return code ?? 1;
  } catch (error) {
    console.error(error);
    return 1;
  }
}
