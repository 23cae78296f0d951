import { createEnding } from '../shell/ending.ts';
import type { ShutdownEvents, Surface } from './surface.ts';

type Options = {
  app: Pick<Surface['app'], 'on' | 'quit' | 'exit'>;
  powerMonitor: ShutdownEvents;
  /** Ends the running actions, then the agent, then the store. Must not fail. */
  close(): Promise<void>;
};

/** Ends the app in order, on a request from the menu, at the end of the login session and at a shutdown. Each waits until the daemon has closed. */
export function endInOrder({ app, powerMonitor, close }: Options): void {
  const end = createEnding({ close, exit: (code) => app.exit(code) });
  app.on('before-quit', (event) => {
    event.preventDefault();
    end();
  });
  powerMonitor.on('shutdown', (event) => {
    event?.preventDefault();
    app.quit();
  });
}
