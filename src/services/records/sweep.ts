import type { Context } from '../context.ts';
import type { ArtifactKeeper } from './artifacts.ts';
import type { Idempotency } from './idempotency.ts';
import { createRetention } from './retention.ts';
import { createRetentionTime } from './retention-time.ts';
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
