import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { Contacts, Interpreter, RunScriptParameters } from '../../src/contract/scripts.ts';
import { runOnMac, SCRIPT_PROGRAMS, type ScriptPrograms } from './macos/run-on-mac.ts';
import { type Internet, type WayOut, withNetwork, withProxyPort } from './network/with-network.ts';
import { LIMIT_REACHED, runSandboxed, type SandboxedRun } from './run-sandboxed.ts';
import type { Sandbox, SandboxedInterpreter } from './sandbox.ts';

type Rights = Omit<Sandbox, 'interpreter' | 'proxySocket'>;
type Run = Pick<RunScriptParameters, 'interpreter' | 'script' | 'network'> & { signal: AbortSignal };
type Ended = { run: SandboxedRun; contacts?: Contacts };

/** The internet, the program of Node (null for none) and, on a Mac, the programs that run scripts; tests replace them. */
export type SandboxSystem = { internet?: Internet; node?: string | null; mac?: ScriptPrograms | undefined };

/** The programs of this Mac; undefined on other systems. */
export function macPrograms(): ScriptPrograms | undefined {
  return process.platform === 'darwin' ? SCRIPT_PROGRAMS : undefined;
}

/** Why a script of this language cannot run on this system, if so. */
export function unsupportedHere(
  interpreter: Interpreter,
  { mac, node = nodeProgram() }: SandboxSystem,
): string | undefined {
  if (interpreter === 'node' && node === null) return NO_NODE;
  if (mac !== undefined) return undefined;
  if (process.platform !== 'linux') return 'Scripts run on macOS and Linux only. Nothing was run.';
  return isSandboxed(interpreter) ? undefined : `${interpreter} scripts run on a Mac only. Nothing was run.`;
}

/** Runs a script with its rights in the sandbox of this system, with a proxy where it names hosts. */
export function runInSandbox(rights: Rights, run: Run, system: SandboxSystem): Promise<Ended> {
  const { internet = {}, node = nodeProgram(), mac } = system;
  const { interpreter, network = [], ...start } = { ...run, node: node ?? 'node' };
  if (mac !== undefined) {
    return withProxyPort(
      network,
      (proxy) => runOnMac({ ...rights, interpreter, proxy }, { ...start, programs: mac }),
      internet,
    );
  }
  if (!isSandboxed(interpreter)) throw new Error(`${interpreter} has no sandbox here`);
  return withNetwork(
    network,
    ({ begun, ...wayOut }: Partial<WayOut> = {}) =>
      runSandboxed({ ...rights, interpreter, ...wayOut }, { ...start, begun }),
    internet,
  );
}

/** AppleScript and JXA drive other apps, which no sandbox lets them do. */
export function isSandboxed(interpreter: Interpreter): interpreter is SandboxedInterpreter {
  return interpreter !== 'applescript' && interpreter !== 'javascript';
}

const USUAL_NODES = ['/opt/homebrew/bin/node', '/usr/local/bin/node', '/usr/bin/node'];

/** Electron runs no script for the app either: its fuse `runAsNode` is off, since every program could use it. */
const NO_NODE = `node scripts need Node.js, and it is at none of ${USUAL_NODES.join(', ')}. Install it, for example from nodejs.org. Nothing was run.`;

/** The program of Node: the one that runs the agent, unless the agent runs in Electron. Null for none. */
export function nodeProgram(execPath = process.execPath, usual: readonly string[] = USUAL_NODES): string | null {
  if (basename(execPath) === 'node') return execPath;
  return usual.find((path) => existsSync(path)) ?? null;
}

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
