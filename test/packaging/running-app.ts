import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../desktop/processes.ts';
import type { Shown } from './packed-electron.ts';

export type RunningApp = {
  /** The address of its daemon. */
  base: string;
  shown: Shown;
  /** Chooses Quit in its menu; answers the code and the signal it ended with. */
  quit(): Promise<[number | null, NodeJS.Signals | null]>;
};

/** Starts the main program of an unpacked app under Node and waits until it shows its dashboard. `home` becomes the person's folder. */
export async function startApp(app: string, home: string): Promise<RunningApp> {
  mkdirSync(home, { recursive: true });
  const child = fork(join(app, 'main.js'), {
    cwd: home,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      LANG: 'C.UTF-8',
      HANDRAIL_PORT: '0',
      HANDRAIL_DATA_DIR: join(home, 'daemon'),
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
  const seen = await until('the app shows its dashboard', async () => {
    if (child.connected) child.send('look');
    return shown ?? undefined;
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
