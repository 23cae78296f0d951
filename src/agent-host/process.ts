import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
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
export const AGENT_FLAGS: readonly string[] = ['--disable-sigusr1', '--max-semi-space-size=1'];

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
