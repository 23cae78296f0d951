import type { ShutdownEvents, Surface } from './surface.ts';

type Options = {
  app: Pick<Surface['app'], 'on' | 'quit' | 'exit'>;
  powerMonitor: ShutdownEvents;
  /** Ends what runs, then the agent, then the store. Must not fail. */
  close(): Promise<void>;
};

/** How long closing may take before the app ends anyway. The daemon gives running actions eight seconds. */
const CLOSE_WITHIN_MS = 12_000;

/**
 * Ends the app in order, on a request from the menu, at the end of the login session and at a shutdown. Each waits until the daemon has
 * closed; asking again changes nothing.
 */
export function endInOrder({ app, powerMonitor, close }: Options): void {
  let isEnding = false;
  app.on('before-quit', (event) => {
    event.preventDefault();
    if (isEnding) return;
    isEnding = true;
    setTimeout(() => app.exit(1), CLOSE_WITHIN_MS).unref();
    void close().finally(() => app.exit(0));
  });
  powerMonitor.on('shutdown', (event) => {
    event?.preventDefault();
    app.quit();
  });
}
