import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { constants } from 'node:os';
import { Writable } from 'node:stream';
import { MAX_OUTPUT_BYTES } from '../../src/contract/scripts.ts';
import { inheritedDescriptors } from '../../src/launch/inherited-descriptors.cjs';
import { isCode } from '../files/failures.ts';
import { bubblewrapArguments, DESCRIPTORS } from './bubblewrap.ts';
import { RELAY } from './network/relay.ts';
import { childrenOf, excessOf, untilEnded } from './process-tree.ts';
import type { Sandbox } from './sandbox.ts';
import { systemCallFilter } from './system-calls.ts';

export type Output = { bytes: Buffer; isCut: boolean };

/** How a run ended. Where the script had not begun, nothing of it was executed. */
export type SandboxedRun =
  | { kind: 'ran'; exitCode: number; stdout: Output; stderr: Output }
  /** It was ended from outside: by the signal of the run, because it took too much, or by another program. */
  | { kind: 'ended'; hasBegun: boolean; excess?: string }
  | { kind: 'changed' }
  | { kind: 'no_sandbox'; reason: string };

/** `begun` is called when the sandbox is complete and the script begins. */
type Run = { script: string; node: string; signal: AbortSignal; begun?: (() => void) | undefined };

/**
 * When the machine has no memory left, the kernel ends the program with the highest mark: the script. So memory that
 * nobody counts, such as some buffers of the kernel, ends no program of the person.
 */
const ENDED_FIRST = '{ echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null; exec "$@"';

/** As the kernel and Node say that a limit of processes, open files or memory is reached. */
export const LIMIT_REACHED =
  /EAGAIN|EMFILE|ENFILE|ENOMEM|Resource temporarily unavailable|Too many open files|Cannot allocate memory|[Cc]annot fork/u;

const LOOK_EVERY_MS = 100;
/** How long the kernel may take to end the processes of the namespace before the sandbox itself is ended. */
const PATIENT_LOOKS = 20;

/**
 * Runs a script in the sandbox of Linux. Ending the process that is started here ends every process of the script, also those
 * that left its group and session: they share one process namespace. The same happens when the agent dies.
 */
export async function runSandboxed(sandbox: Sandbox, run: Run): Promise<SandboxedRun> {
  const filter = systemCallFilter();
  const pipeIf = (isNeeded: boolean): Stdio[number] => (isNeeded ? 'pipe' : 'ignore');
  const args = bubblewrapArguments(sandbox, { node: run.node, hasFilter: filter !== undefined });
  const ofFilter = [pipeIf(sandbox.proxySocket !== undefined), pipeIf(filter !== undefined)];
  const stdio: Stdio = ['ignore', 'pipe', 'pipe', 'pipe', 'pipe', ...ofFilter, 'pipe'];
  let child: ChildProcess;
  try {
    child = start(args, stdio);
  } catch (error) {
    // The agent has no descriptor left to look at its own, or there are too many places to name.
    return { kind: 'no_sandbox', reason: error instanceof Error ? error.message : String(error) };
  }
  return watchedToItsEnd(child, { ...run, filter });
}

type Started = Run & { filter: Buffer | undefined };

function watchedToItsEnd(child: ChildProcess, { script, signal, begun, filter }: Started): Promise<SandboxedRun> {
  if (child.pid === undefined) return notStarted(child);
  const ends: readonly ChildProcess['stdio'][number][] = child.stdio;
  const outputs = {
    stdout: tailOf(child.stdout),
    stderr: tailOf(child.stderr),
    notes: tailOf(ends[DESCRIPTORS.ready]),
  };
  const facts = tailOf(ends[DESCRIPTORS.facts]);
  send(ends[DESCRIPTORS.script], script);
  send(ends[DESCRIPTORS.relay], RELAY);
  if (filter !== undefined) send(ends[DESCRIPTORS.filter], filter);
  const ready = ends[DESCRIPTORS.ready];
  ready?.once('data', () => {
    // The word that the script waits for.
    send(ready, '\n');
    begun?.();
  });
  const watch = watched(child, signal);
  return new Promise((resolve) => {
    child.on('error', (error) => {
      watch.stop();
      resolve({ kind: 'no_sandbox', reason: error.message });
    });
    child.on('close', async (exitCode, killedBy) => {
      watch.stop();
      await untilEnded(firstProcess(facts));
      resolve(endingOf({ exitCode, killedBy, ...watch.ended() }, outputs));
    });
  });
}

type Stdio = ('ignore' | 'pipe' | number)[];

/**
 * Starts bubblewrap with these descriptors and no others. A library of the agent may have opened some that would be handed on: the sandbox
 * gets `/dev/null` in the place of each.
 */
function start(args: readonly string[], stdio: Stdio): ChildProcess {
  const inherited = inheritedDescriptors().filter((descriptor) => (stdio[descriptor] ?? 'ignore') === 'ignore');
  const empty = inherited.length === 0 ? undefined : openSync('/dev/null', 'r+');
  const all = [...stdio];
  for (const descriptor of inherited) {
    while (all.length < descriptor) all.push('ignore');
    all[descriptor] = empty ?? 'ignore'; // guard X13-2
  }
  const child = spawn('/bin/sh', ['-c', ENDED_FIRST, 'sh', 'bwrap', ...args], {
    stdio: all,
    env: { PATH: process.env.PATH ?? '' },
    cwd: '/',
  });
  if (empty !== undefined) closeSync(empty);
  return child;
}

/** Where the system has no process or descriptor left, Node gives the child no streams, and says the reason in the next turn. */
async function notStarted(child: ChildProcess): Promise<SandboxedRun> {
  const [error] = await once(child, 'error', { signal: AbortSignal.timeout(1_000) }).catch((cause: unknown) => [cause]);
  return { kind: 'no_sandbox', reason: error instanceof Error ? error.message : String(error) };
}

/** The first process of the namespace, as bubblewrap names it. The kernel ends it after all others there. */
function firstProcess(facts: ReturnType<typeof createTail>): number | undefined {
  const [, pid] = /"child-pid": (\d+)/u.exec(facts.bytes().toString()) ?? [];
  return pid === undefined ? undefined : Number(pid);
}

function send(stream: ChildProcess['stdio'][number] | undefined, text: string | Buffer): void {
  if (!(stream instanceof Writable)) return;
  // A sandbox that could not be made closes its end early; how it ended says so.
  stream.on('error', () => stream.destroy());
  stream.end(text);
}

type Outputs = Record<'stdout' | 'stderr' | 'notes', ReturnType<typeof createTail>>;
type End = { exitCode: number | null; killedBy: NodeJS.Signals | null; isEnded: boolean; excess: string | undefined };

/** Tells how a run ended, from its exit code, its note that the script began, and the reason it was stopped. */
export function endingOf(
  { exitCode, killedBy, isEnded, excess }: End,
  { stdout, stderr, notes }: Outputs,
): SandboxedRun {
  const note = notes.bytes().toString().trim();
  if (note === 'changed') return { kind: 'changed' };
  const hasBegun = note === 'ready';
  if (hasBegun && excess !== undefined) return { kind: 'ended', hasBegun, excess };
  if (isEnded) return { kind: 'ended', hasBegun };
  // The system ends a program that its sandbox does not let start.
  if (!hasBegun) return { kind: 'no_sandbox', reason: stderr.bytes().toString().trim() || `ended by ${killedBy}` };
  const code = exitCode ?? codeOfCrash(killedBy);
  if (code === undefined) return { kind: 'ended', hasBegun };
  return { kind: 'ran', exitCode: code, stdout: outputOf(stdout), stderr: outputOf(stderr) };
}

const CRASHES: readonly NodeJS.Signals[] = ['SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGSEGV', 'SIGSYS', 'SIGTRAP'];

/** On a Mac nothing stands between the agent and the script, so a crash is seen as its signal. Shells tell it by such a code. */
function codeOfCrash(killedBy: NodeJS.Signals | null): number | undefined {
  return killedBy !== null && CRASHES.includes(killedBy) ? 128 + constants.signals[killedBy] : undefined;
}

function outputOf(tail: ReturnType<typeof createTail>): Output {
  return { bytes: tail.bytes(), isCut: tail.isCut() };
}

/** Keeps the end of an output. */
export function tailOf(stream: ChildProcess['stdio'][number] | undefined) {
  const tail = createTail(MAX_OUTPUT_BYTES);
  stream?.on('data', (piece: Buffer) => tail.add(piece));
  return tail;
}

/** Ends the run when its signal aborts or its processes take too much. */
function watched(child: ChildProcess, signal: AbortSignal) {
  let excess: string | undefined;
  let looksSinceEnd: number | undefined;
  const end = () => {
    looksSinceEnd ??= 0;
    endTree(child, { whole: looksSinceEnd >= PATIENT_LOOKS });
  };
  const timer = setInterval(() => {
    if (looksSinceEnd !== undefined) looksSinceEnd += 1;
    else if (child.pid !== undefined) excess = excessOf(child.pid);
    if (excess !== undefined || looksSinceEnd !== undefined) end();
  }, LOOK_EVERY_MS);
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  return {
    ended: () => ({ isEnded: looksSinceEnd !== undefined, excess }),
    stop(): void {
      clearInterval(timer);
      signal.removeEventListener('abort', end);
    },
  };
}

/**
 * Ends the first process of the namespace. The kernel then ends all others in it, and only after the last of them the process
 * that we wait for. Ended by itself, that one would be gone a moment before them.
 */
function endTree(child: ChildProcess, { whole }: { whole: boolean }): void {
  const [first] = child.pid === undefined || child.exitCode !== null ? [] : childrenOf(child.pid);
  if (first === undefined || whole) child.kill('SIGKILL');
  else kill(first);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!isCode(error, 'ESRCH')) throw error;
  }
}

/** Keeps the end of a stream: at most `mostBytes`, however much comes. */
function createTail(mostBytes: number) {
  let pieces: Buffer[] = [];
  let kept = 0;
  let total = 0;

  function bytes(): Buffer {
    const whole = Buffer.concat(pieces);
    return whole.subarray(Math.max(0, whole.length - mostBytes));
  }

  return {
    add(piece: Buffer): void {
      pieces.push(piece);
      kept += piece.length;
      total += piece.length;
      if (kept <= 2 * mostBytes) return;
      pieces = [Buffer.from(bytes())];
      kept = mostBytes;
    },
    bytes,
    isCut: () => total > mostBytes,
  };
}
