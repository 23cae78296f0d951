import { buildDaemonIfNeeded } from '../../src/packaging/build-if-needed.ts';

/** The set-up of the tests that start the daemon as `npm start` does: the daemon and its page are built. */
export async function setup(): Promise<void> {
  await buildDaemonIfNeeded();
}
