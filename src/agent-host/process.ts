import { type ChildProcess, fork } from 'node:child_process';
import { createInterface } from 'node:readline';
import { assetPath } from '../assets.ts';
import type { AgentProcessEvents, SpawnAgent } from './supervisor.ts';

/** A file to fork, with its arguments. */
export type AgentEntry = { file: string; args: readonly string[] };

/** The agent as Handrail ships it. */
const AGENT: AgentEntry = { file: assetPath('agent'), args: [] };

/**
 * The agent rests most of the time, so little room for new objects is enough. No flag here may change `v8.cachedDataVersionTag()`:
 * Node would compile its own modules anew at each start, which takes 70 ms of processor time.
 */
export const AGENT_FLAGS: readonly string[] = ['--max-semi-space-size=1'];

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
      execArgv: [...AGENT_FLAGS],
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
