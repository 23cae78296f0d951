import type { Context } from '../context.ts';
import type { ArtifactKeeper } from './artifacts.ts';
import type { Idempotency } from './idempotency.ts';
import { createRetention } from './retention.ts';
import type { createStorageLimits } from './storage-limits.ts';

type Parts = {
  idempotency: Pick<Idempotency, 'sweep'>;
  tasks: { sweep(nowMs: number): void };
  artifacts: Pick<ArtifactKeeper, 'sweep'>;
  storageLimits: Pick<ReturnType<typeof createStorageLimits>, 'enforce'>;
};

/** Removes everything that is kept for a limited time or in a limited size. */
export function createSweep(context: Context, parts: Parts): () => Promise<void> {
  const { idempotency, tasks, artifacts, storageLimits } = parts;
  const { nowMs, note } = createRetentionTime(context);
  const retention = createRetention(context, { nowMs });
  return async () => {
    // The files may be those of another daemon.
    if (context.store.isMoved()) return;
    note();
    idempotency.sweep();
    tasks.sweep(nowMs());
    await retention();
    await artifacts.sweep(nowMs());
    await storageLimits.enforce();
  };
}

const STORED = 'retentionTimeMs';
const DAY_MS = 86_400_000;
/** After a start, the time of retention catches up by a day for each hour. */
const CATCH_UP = 24;

/**
 * The time by which retention judges the age of records. While the daemon runs it is the time. Between two runs the computer's
 * clock may have been set to any time. So after a start it is at most a day after the last time that `note` stored.
 */
function createRetentionTime({ store, clock }: Pick<Context, 'store' | 'clock'>) {
  const startedAtMs = clock.nowMs();
  const before = store.settings.get(STORED);
  const mostMs = typeof before === 'number' ? before + DAY_MS : Number.POSITIVE_INFINITY;
  const nowMs = (): number => Math.min(clock.nowMs(), mostMs + CATCH_UP * Math.max(0, clock.nowMs() - startedAtMs));
  return { nowMs, note: (): void => store.write('relaxed', () => store.settings.set(STORED, nowMs())) };
}
