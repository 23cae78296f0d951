import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { assetPath } from '../launch/assets.ts';
import type { AgentProcess, AgentProcessEvents, SpawnAgent } from './supervisor.ts';

/** A file to fork, with its arguments. */
export type AgentEntry = { file: string; args: readonly string[] };

/** The agent as Handrail ships it. */
const AGENT: AgentEntry = { file: assetPath('agent'), args: [] };

/**
 * The agent rests most of the time, so little room for new objects is enough. No flag here may change `v8.cachedDataVersionTag()`:
 * Node would compile its own modules anew at each start, which takes 70 ms of processor time.
 */
export const AGENT_FLAGS: readonly string[] = ['--disable-sigusr1', '--max-semi-space-size=1']; // guard A39-1

const INHERITED = [
  'PATH',
  // On macOS they tell which app the permissions belong to.
  '__CFBundleIdentifier',
  'TERM_PROGRAM',
  'HOME',
  'LANG',
  'TMPDIR',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'DBUS_SESSION_BUS_ADDRESS',
];

/**
 * The part of an environment that an agent inherits: enough to find programs and the desktop, and no secrets that the
 * environment happens to hold. `extra` is added to it.
 */
export function agentEnvironment(environment: NodeJS.ProcessEnv, extra: Record<string, string>): NodeJS.ProcessEnv {
  const inherited = Object.entries(environment).filter(([name]) => INHERITED.includes(name) || name.startsWith('XDG_'));
  return { ...Object.fromEntries(inherited), ...extra };
}

/**
 * Starts agents under Node: a fork with a channel for the token, its standard error read line by line. `started` learns
 * the process id of each.
 */
export function createForkedAgent(
  environment: NodeJS.ProcessEnv,
  { entry = AGENT, started }: { entry?: AgentEntry | undefined; started?(pid: number): void } = {},
): SpawnAgent {
  const options: ForkOptions = {
    env: environment,
    execArgv: [...AGENT_FLAGS],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  };
  return (events) => {
    try {
      const child = fork(entry.file, entry.args, options);
      report(child, events);
      if (child.pid !== undefined) started?.(child.pid);
      return {
        // A send fails only when the child has ended, and `exit` reports that.
        send: (message) => void (child.connected && child.send(message, () => undefined)),
        kill: (signal) => void child.kill(signal),
      };
    } catch (error) {
      return neverStarted(error, events);
    }
  };
}

/** Node throws some failures at once, and reports the others in the next turn of the event loop. */
export function neverStarted(error: unknown, events: AgentProcessEvents): AgentProcess {
  const reason = error instanceof Error ? error.message : String(error);
  setImmediate(() => events.ended({ exitCode: null, reason, isShortage: isShortage(error) }));
  return { send: () => undefined, kill: () => undefined };
}

function report(child: ChildProcess, events: AgentProcessEvents): void {
  let hasEnded = false;
  const end = (how: Parameters<AgentProcessEvents['ended']>[0]) => {
    if (hasEnded) return;
    hasEnded = true;
    events.ended(how);
  };
  child.on('message', events.message);
  child.on('error', (error) => {
    if (child.pid === undefined) end({ exitCode: null, reason: error.message, isShortage: isShortage(error) });
    else events.line(`its channel failed: ${error.message}`);
  });
  child.on('exit', (exitCode, signal) => end({ exitCode, reason: signal ?? `exit code ${exitCode}` }));
  // Where the system has no descriptor left, Node makes a child without streams.
  if (child.stderr instanceof Readable) createInterface({ input: child.stderr }).on('line', events.line);
}

/** Errors that pass: the system, or this process, has no process, descriptor or memory left for now. */
const SHORTAGES: ReadonlySet<unknown> = new Set(['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM']);

export function isShortage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && SHORTAGES.has(error.code);
}

/** Remembers the agent's process beyond the life of the daemon. */
type AgentPidFile = {
  note(pid: number): Promise<void>;
  /**
   * Waits for an agent that a killed daemon has left behind: it lets go of the desktop and ends within a second. Resolves
   * with false when something by that number still runs; nothing is done to it, for it may be another program by now.
   */
  predecessorGone(): Promise<boolean>;
};

const PATIENCE_MS = 1_500;
const LOOK_EVERY_MS = 25;

type Time = { nowMs(): number; sleep(ms: number): Promise<unknown> };
const REAL_TIME: Time = { nowMs: () => performance.now(), sleep };

export function createAgentPidFile(path: string, { nowMs, sleep }: Time = REAL_TIME): AgentPidFile {
  return {
    note: (pid) => writeFile(path, `${pid}\n`, { mode: 0o600 }),
    async predecessorGone() {
      const pid = Number(await readFile(path, 'utf8').catch(() => ''));
      const untilMs = nowMs() + PATIENCE_MS;
      while (await isRunning(pid)) {
        if (nowMs() >= untilMs) return false;
        await sleep(LOOK_EVERY_MS);
      }
      return true;
    },
  };
}

async function isRunning(pid: number): Promise<boolean> {
  if (!Number.isInteger(pid) || pid <= 1) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  // On Linux an ended process that its new parent has not taken note of yet still has a number.
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return !/^State:\s+Z/m.test(status);
}
