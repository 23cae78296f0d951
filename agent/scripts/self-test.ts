import type { Interpreter } from '../../src/contract/scripts.ts';
import { macPrograms, nodeProgram, runInSandbox, type SandboxSystem, unsupportedHere } from './run-in-sandbox.ts';
import { LIMIT_REACHED, type SandboxedRun } from './run-sandboxed.ts';

/** A script of each language that does nothing. */
const TESTS: readonly (readonly [Interpreter, script: string])[] = [
  ['sh', '/usr/bin/true'],
  ['bash', ':'],
  ['zsh', ':'],
  ['python', 'pass'],
  ['node', '0'],
];
const TEST_TIMEOUT_MS = 30_000;
const NOTHING = { environment: {}, writable: [], hidden: [], readOnly: [], identities: new Map() };

/** Runs a script of each language that is installed. Answers why they do not work, or nothing when they do. */
export async function testSandbox({
  mac = macPrograms(),
  ...surroundings
}: SandboxSystem = {}): Promise<string | undefined> {
  const system = { ...surroundings, mac };
  for (const [interpreter, script] of TESTS) {
    if (interpreter === 'node' && (system.node ?? nodeProgram()) === null) continue;
    if (unsupportedHere(interpreter, system) !== undefined) return undefined;
    const signal = AbortSignal.timeout(TEST_TIMEOUT_MS);
    const { run } = await runInSandbox(NOTHING, { interpreter, script, signal }, system);
    const problem = problemOf(run);
    if (problem === 'untold') return undefined;
    if (problem !== undefined) return `A ${interpreter} script that does nothing ${problem}`.slice(0, MOST_CHARACTERS);
  }
  return undefined;
}

const MOST_CHARACTERS = 500;

/** By the convention of shells the code of a program that is not there. */
const NOT_FOUND = 127;
/** Apple's stand-in for a program whose tools are not installed. */
const NOT_INSTALLED = /xcode-select/u;
/** The daemon looks for these programs itself, and names the command that installs them. */
const WITHOUT_PROGRAM = /\b(?:bwrap|prlimit)\b.*(?:not found|No such file)/u;

/** The fault that a test run shows. Nothing where another part of Handrail tells the fault, or where it passes. */
function problemOf(run: SandboxedRun): string | undefined {
  switch (run.kind) {
    case 'ran': {
      const said = run.stderr.bytes.toString().trim();
      const isMissing = run.exitCode === NOT_FOUND || NOT_INSTALLED.test(said);
      return run.exitCode === 0 || isMissing ? undefined : `ends with code ${run.exitCode}. ${said}`;
    }
    case 'no_sandbox':
      if (LIMIT_REACHED.test(run.reason) || WITHOUT_PROGRAM.test(run.reason)) return 'untold';
      return `does not begin: ${run.reason}`;
    case 'ended':
      return `does not end within ${TEST_TIMEOUT_MS / 1_000} s.`;
    case 'changed':
      return 'untold';
  }
}
