import { type ChildProcess, fork } from 'node:child_process';
import { createInterface } from 'node:readline';
import { assetPath } from '../assets.ts';
import type { AgentProcessEvents, SpawnAgent } from './supervisor.ts';

/** A file to fork, with its arguments. */
export type AgentEntry = { file: string; args: readonly string[] };

/** The agent as Handrail ships it. */
const AGENT: AgentEntry = { file: assetPath('agent'), args: [] };

/**
 * Pictures are megabytes outside of V8's heap that count as if inside; without room for some of them, each one would cost
 * a full garbage collection (20 ms). More room would let the garbage of a thousand actions pile up.
 */
const ROOM_FOR_PICTURES = '--initial-old-space-size=24';
/** The agent rests most of the time, and most of its work is done by libraries and other programs: 6 MB less. */
const SMALL = '--optimize-for-size';

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
  return (events) => {
    const child = fork(entry.file, entry.args, {
      env: environment,
      execArgv: [ROOM_FOR_PICTURES, SMALL],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    report(child, events);
    if (child.pid !== undefined) started?.(child.pid);
    return {
      // A send fails only when the child has ended, and `exit` reports that.
      send: (message) => void (child.connected && child.send(message, () => undefined)),
      kill: (signal) => void child.kill(signal),
    };
  };
}

function report(child: ChildProcess, events: AgentProcessEvents): void {
  let hasEnded = false;
  const end = (exitCode: number | null, reason: string) => {
    if (hasEnded) return;
    hasEnded = true;
    events.ended({ exitCode, reason });
  };
  child.on('message', events.message);
  child.on('error', (error) => {
    if (child.pid === undefined) end(null, error.message);
    else events.line(`its channel failed: ${error.message}`);
  });
  child.on('exit', (exitCode, signal) => end(exitCode, signal ?? `exit code ${exitCode}`));
  if (child.stderr !== null) createInterface({ input: child.stderr }).on('line', events.line);
}
