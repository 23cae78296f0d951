import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Session } from '../../src/contract/session.ts';
import { until } from '../desktop/processes.ts';
import type { Shown } from './electron/as-module.ts';

export type RunningApp = {
  /** The address of its daemon. */
  base: string;
  shown: Shown;
  /** Signs its window in, as the page does; answers the key of the session. */
  signIn(): Promise<string>;
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
  let key: string | undefined;
  child.on('message', (message: Shown | { session: Session } | null) => {
    if (message !== null && 'session' in message) key = message.session.key;
    else shown = message;
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
    async signIn() {
      child.send('sign in');
      return until('the window is signed in', () => key);
    },
    quit() {
      if (child.connected) child.send('quit');
      return exited;
    },
  };
}
