import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { provideNeeds, TEST_NEEDS } from './runner/needs.ts';
import { report, TALLY_FILE_VARIABLE, type Tally, tallyOfStep, tallyOfTests, totalOf } from './runner/tally.ts';

/**
 * `npm test`: everything that can be checked on this machine. Every step runs, whatever became of the ones before; the
 * last line on standard output is `N passed, N failed` with, if any, `, N skipped`. The exit code is 1 if anything failed.
 * With arguments only the steps of these names run, for instance `npm test -- lint fast`.
 */

type Step =
  | { name: string; kind: 'check'; command: readonly string[] }
  | { name: string; kind: 'tests'; onlyOn?: 'linux' | 'darwin' };
type TestStep = Extract<Step, { kind: 'tests' }>;

const STEPS: readonly Step[] = [
  { name: 'lint', kind: 'check', command: ['biome', 'ci', '--error-on-warnings', '.'] },
  { name: 'types', kind: 'check', command: ['tsc', '-p', '.'] },
  { name: 'page types', kind: 'check', command: ['tsc', '-p', 'renderer'] },
  { name: 'unused', kind: 'check', command: ['knip', '--no-progress'] },
  { name: 'fast', kind: 'tests' },
  { name: 'faults', kind: 'tests' },
  { name: 'desktop', kind: 'tests', onlyOn: 'linux' },
  { name: 'browser', kind: 'tests' },
  { name: 'macos', kind: 'tests', onlyOn: 'darwin' },
];
const STEP_TIMEOUT_MS = 30 * 60_000;
const PLATFORM_NAMES = { linux: 'Linux', darwin: 'macOS' };

const root = new URL('..', import.meta.url).pathname;
const environment: NodeJS.ProcessEnv = {
  ...process.env,
  PATH: [join(root, 'node_modules/.bin'), process.env.PATH ?? ''].join(delimiter),
};

process.exitCode = await main(process.argv.slice(2));

async function main(names: readonly string[]): Promise<number> {
  const unknown = names.filter((name) => !STEPS.some((step) => step.name === name));
  if (unknown.length > 0) return refuse(`There is no step ${unknown}; the steps are ${STEPS.map(({ name }) => name)}`);
  const problem = process.platform === 'linux' ? provideNeeds(TEST_NEEDS, thisMachine()) : null;
  if (problem !== null) return refuse(problem);
  const tallies: Tally[] = [];
  for (const step of STEPS.filter(({ name }) => names.length === 0 || names.includes(name))) {
    console.log(`\n=== ${step.name} ===`);
    tallies.push(await runStep(step));
  }
  const total = totalOf(tallies);
  console.log(`\n${report(total)}`);
  return total.failed.length === 0 ? 0 : 1;
}

function thisMachine() {
  return { environment, asRoot: process.getuid?.() === 0, isDebian: existsSync('/etc/debian_version') };
}

function refuse(message: string): number {
  console.error(message);
  console.log('0 passed, 1 failed');
  return 1;
}

async function runStep(step: Step): Promise<Tally> {
  if (step.kind === 'check') return tallyOfStep(step.name, await run(step.command));
  if (step.onlyOn !== undefined && step.onlyOn !== process.platform) return notRun(step);
  const { exitCode, written } = await vitest<Tally>(step, (file) => ({
    args: ['run'],
    settings: { [TALLY_FILE_VARIABLE]: file },
  }));
  return tallyOfTests(step.name, exitCode, written);
}

/** Names the tests without loading them. */
async function notRun(step: TestStep): Promise<Tally> {
  const reason = `needs ${PLATFORM_NAMES[step.onlyOn ?? 'linux']}`;
  if (!existsSync(join(root, 'test', step.name))) return { passed: 0, failed: [], skipped: [] };
  const { exitCode, written } = await vitest<{ name: string; file: string }[]>(step, (file) => ({
    args: ['list', `--json=${file}`],
    settings: {},
  }));
  const skipped = (written ?? []).map(({ name, file }) => ({ name: `${file.slice(root.length)} > ${name}`, reason }));
  console.log(`${skipped.length} tests are not run: ${reason}`);
  return { passed: 0, failed: exitCode === 0 ? [] : [`${step.name}: its tests cannot be listed`], skipped };
}

type Vitest = { args: readonly string[]; settings: Record<string, string> };

/** Runs vitest with a file of its own to write JSON to, and answers what it wrote there, if it did. */
async function vitest<Written>(step: TestStep, make: (file: string) => Vitest) {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-tests-'));
  const file = join(folder, 'written.json');
  const { args, settings } = make(file);
  const exitCode = await run(['vitest', ...args, '--config=test/vitest.config.ts', `--project=${step.name}`], settings);
  const written: Written | undefined = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  rmSync(folder, { recursive: true });
  return { exitCode, written };
}

/** The exit code; a command that cannot be started, is killed or takes too long has 1. */
async function run([program = '', ...args]: readonly string[], settings: Record<string, string> = {}): Promise<number> {
  const child = spawn(program, args, {
    cwd: root,
    env: { ...environment, ...settings },
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: STEP_TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  try {
    const [code, signal] = await once(child, 'exit');
    if (signal !== null) console.error(`${program} was ended by ${signal}`);
    return code ?? 1;
  } catch (error) {
    console.error(error);
    return 1;
  }
}
