import type { Context } from './context.ts';

/** Far more than a busy minute: nobody was there to see it pass. */
const UNSEEN_MS = 3 * 60_000;

/**
 * Notes in the journal that the machine slept: time that passed between two looks, which are to come every minute. It is a gap in what is
 * known, and not time in which nothing happened.
 */
export function createSleepWatch({ store, clock }: Context): () => void {
  let lookedAtMs = clock.nowMs();
  return () => {
    const nowMs = clock.nowMs();
    const sinceMs = lookedAtMs;
    lookedAtMs = nowMs;
    if (nowMs - sinceMs < UNSEEN_MS) return;
    store.write('relaxed', () => store.journal.append(nowMs, { kind: 'daemon.slept', metadata: { sinceMs } }));
  };
}
