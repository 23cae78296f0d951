import type { Context } from '../context.ts';

const STORED = 'retentionTimeMs';
const DAY_MS = 86_400_000;
/** After a start, the time of retention catches up by a day for each hour. */
const CATCH_UP = 24;

/**
 * The time by which retention judges the age of records. While the daemon runs it is the time. Between two runs the computer's
 * clock may have been set to any time, so after a start it is at most a day after the last time of the run before, which
 * `note` stores.
 */
export function createRetentionTime({ store, clock }: Pick<Context, 'store' | 'clock'>) {
  const startedAtMs = clock.nowMs();
  const before = store.settings.get(STORED);
  const mostMs = typeof before === 'number' ? before + DAY_MS : Number.POSITIVE_INFINITY;
  const nowMs = (): number => Math.min(clock.nowMs(), mostMs + CATCH_UP * Math.max(0, clock.nowMs() - startedAtMs));
  return { nowMs, note: (): void => store.write('relaxed', () => store.settings.set(STORED, nowMs())) };
}
