import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../desktop/processes.ts';
import type { Shown } from './electron/as-module.ts';

export type RunningApp = {
  /** The address of its daemon. */
  base: string;
  shown: Shown;
  /** Chooses Quit in its menu; answers the code and the signal it ended with. */
  quit(): Promise<[number | null, NodeJS.Signals | null]>;
};

/** Node may have to read the whole daemon from its sources, on a busy machine. */
const PATIENCE_MS = 60_000;

/** Runs a main program of the app under Node, see `as-module.ts`: `node start-entry.ts <main program>`. */
export const START_ENTRY = join(import.meta.dirname, 'electron/start-entry.ts');

/**
 * Starts a main program of the app under Node, on fakes of electron, and waits until it shows its dashboard. `home` becomes the person's
 * folder. `environment` comes on top of a small one.
 */
export async function startApp(
  entry: string,
  { home, environment = {} }: { home: string; environment?: Record<string, string> },
): Promise<RunningApp> {
  mkdirSync(home, { recursive: true });
  const child = fork(START_ENTRY, [entry], {
    cwd: home,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      LANG: 'C.UTF-8',
      HANDRAIL_PORT: '0',
      HANDRAIL_DATA_DIR: join(home, 'daemon'),
      ...environment,
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited: Promise<[number | null, NodeJS.Signals | null]> = once(child, 'exit').then(([code, signal]) => [
    code,
    signal,
  ]);
  let shown: Shown | null = null;
  child.on('message', (message: Shown | null) => {
    shown = message;
  });
  const look = async () => {
    if (child.connected) child.send('look');
    return shown ?? undefined;
  };
  const seen = await until('the app shows its dashboard', look, PATIENCE_MS).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw error;
  });
  return {
    base: new URL(seen.address).origin,
    shown: seen,
    quit() {
      if (child.connected) child.send('quit');
      return exited;
    },
  };
}
