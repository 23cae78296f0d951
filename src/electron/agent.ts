import { createInterface } from 'node:readline';
import type { AgentStart } from '../daemon/agent.ts';
import type { DaemonOptions } from '../daemon/daemon.ts';
import { endProcess } from '../shell/end-process.ts';
import type { ShellChild, Surface } from './surface.ts';

type SpawnAgent = ReturnType<NonNullable<DaemonOptions['spawnAgent']>>;
type AgentProcessEvents = Parameters<SpawnAgent>[0];
type AgentProcess = ReturnType<SpawnAgent>;

type Options = AgentStart & { utilityProcess: Surface['utilityProcess']; entry: string };

/**
 * Starts agents as utility processes of the app. They are not disclaimed, so the permissions of the app are theirs, too. The token
 * goes over the channel: the arguments and the environment of a process can be read by others.
 */
export function createUtilityAgent({ utilityProcess, entry, environment, started }: Options): SpawnAgent {
  return (events) => {
    try {
      const child = utilityProcess.fork(entry, [], {
        env: { ...environment },
        stdio: ['ignore', 'ignore', 'pipe'],
        serviceName: 'Handrail agent',
      });
      report(child, events, started);
      return { send: (message) => child.postMessage(message), kill: (signal) => endProcess(child, signal) };
    } catch (error) {
      return neverStarted(events, error);
    }
  };
}

function report(child: ShellChild, events: AgentProcessEvents, started: (pid: number) => void): void {
  child.on('message', events.message);
  child.on('error', (type, location) => events.line(`${type} at ${location}`));
  child.on('exit', (exitCode) => events.ended({ exitCode, reason: `exit code ${exitCode}` }));
  child.on('spawn', () => {
    if (child.pid !== undefined) started(child.pid);
  });
  if (child.stderr !== null) createInterface({ input: child.stderr }).on('line', events.line);
}

/** The supervisor is told after this call has returned, as of any other end. */
function neverStarted(events: AgentProcessEvents, error: unknown): AgentProcess {
  setImmediate(() => events.ended({ exitCode: null, reason: error instanceof Error ? error.message : String(error) }));
  return { send: () => undefined, kill: () => undefined };
}
