import type { App } from './app.ts';

/** Holds calls until the daemon has taken up the work of its last run. `/health` answers at once. */
export function addStartUp(app: App, ready: Promise<void>): void {
  let isReady = false;
  void ready.then(() => {
    isReady = true;
  });
  app.addHook('onRequest', (request, _reply, done) => {
    if (isReady || request.url === '/health') done();
    else void ready.then(() => done());
  });
}
