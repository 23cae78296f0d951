import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ForkOptions } from 'electron';
import type { ShellChild, Surface } from '../../../src/electron/surface.ts';
import { listensOn } from './listens-on.ts';

const PARENT_PORT = fileURLToPath(new URL('./parent-port.ts', import.meta.url));

/** How a utility process was started. */
export type Forked = { file: string; args: readonly string[]; options: ForkOptions; child: ChildProcess };

/**
 * A `utilityProcess` that starts real processes under Node, with a `process.parentPort` as electron gives it. As in electron, `kill`
 * only asks the process to end, and `pid` is known from `spawn` to `exit`.
 */
export function createFakeUtilityProcess() {
  const forked: Forked[] = [];
  /** When set, the next forks fail as they do when the file is not there. */
  let refusal: Error | undefined;
  const utilityProcess = {
    fork(file: string, args: string[], options: ForkOptions): ShellChild {
      if (refusal !== undefined) throw refusal;
      const child = fork(file, args, {
        env: plainEnvironment(options.env),
        execArgv: ['--import', PARENT_PORT],
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      });
      forked.push({ file, args, options, child });
      return viewOf(child);
    },
  } satisfies Surface['utilityProcess'];
  return {
    utilityProcess,
    forked,
    refuse(error: Error | undefined): void {
      refusal = error;
    },
  };
}

function viewOf(child: ChildProcess): ShellChild {
  const events = new EventEmitter();
  let isRunning = false;
  child.on('spawn', () => {
    isRunning = true;
    events.emit('spawn');
  });
  child.on('message', (message) => events.emit('message', message));
  child.on('exit', (code, signal) => {
    isRunning = false;
    events.emit('exit', code ?? (signal === 'SIGKILL' ? 9 : 15));
  });
  return {
    on: listensOn(events),
    postMessage: (message: unknown) => void (child.connected && child.send(Object(message), () => undefined)),
    kill: () => child.kill('SIGTERM'),
    get pid() {
      return isRunning ? child.pid : undefined;
    },
    stderr: child.stderr,
  };
}

/** The whole environment of the process: nothing of this one comes with it. */
function plainEnvironment(environment: ForkOptions['env']): Record<string, string> {
  return Object.fromEntries(Object.entries(environment ?? {}).map(([name, value]) => [name, String(value)]));
}
