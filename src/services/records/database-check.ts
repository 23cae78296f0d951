import type { Context } from '../context.ts';

/** Not while the daemon has other things to begin with. */
const AFTER_MS = 5_000;

/** Has the database checked soon after the start, until called off. */
export function checkDatabaseSoon({ store, clock, log }: Context): () => void {
  return clock.after(AFTER_MS, () => {
    store
      .check()
      .then(({ findings, isWhole }) => {
        if (findings.length === 0) return;
        if (isWhole) log.warn({ findings }, 'indexes of the database were damaged; they were made anew');
        else log.error({ findings, dataDirectory: store.path }, DAMAGED);
      })
      .catch((error: unknown) => log.error({ err: error }, 'the database could not be checked'));
  });
}

const DAMAGED =
  'the database is damaged; the next start builds it anew from everything that can be read and keeps the damaged one';
