import { FORMER_VERSIONS_QUOTA } from '../../contract/undo-limits.ts';
import type { Context } from '../context.ts';
import { createFairRemoval, type Exceeded } from './fair-removal.ts';

/** How long after an action on files ended the folder is looked at: several that end together cause one look. */
const LOOK_AFTER_MS = 100;

/** Copies of actions that are no longer on record count together. */
const NO_OWNER = '';

/**
 * Removes former versions beyond the quota, soon after an action on files ended and in each sweep. Each time the oldest version of
 * the largest user goes. The agent writes the copies itself, so the folder is over the quota for a moment.
 */
export function createFormerVersionsQuota(
  { store, clock, log }: Pick<Context, 'store' | 'clock' | 'log'>,
  quota: typeof FORMER_VERSIONS_QUOTA = FORMER_VERSIONS_QUOTA,
) {
  const used = { bytes: 0, files: 0 };
  let stopWaiting: (() => void) | undefined;
  let isEnded = false;

  async function enforce(): Promise<void> {
    const versions = await store.formerVersions.list();
    used.files = versions.length;
    used.bytes = versions.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    if (exceeded() === undefined) return;
    const owners = store.actions.ownersOf(versions.map(({ actionId }) => actionId));
    const removal = createFairRemoval(versions, ({ actionId }) => owners.get(actionId) ?? NO_OWNER);
    for (let over = exceeded(); over !== undefined && !isEnded; over = exceeded()) {
      const version = removal.next(over);
      if (version === undefined) return;
      // The record changes first: it never promises an undo whose copy is gone.
      store.write('durable', () => store.undos.markFormerRemoved(version.actionId, clock.nowMs()));
      await store.formerVersions.remove(version.actionId);
      used.bytes -= version.sizeBytes;
      used.files -= 1;
    }
  }

  function exceeded(): Exceeded | undefined {
    if (used.bytes > quota.bytes) return 'bytes';
    return used.files > quota.files ? 'files' : undefined;
  }

  let atWork: Promise<void> | undefined;
  const enforceOnce = (): Promise<void> => {
    atWork ??= enforce().finally(() => {
      atWork = undefined;
    });
    return atWork;
  };

  function lookSoon(): void {
    if (isEnded) return;
    stopWaiting ??= clock.after(LOOK_AFTER_MS, () => {
      stopWaiting = undefined;
      // A look that began earlier may have missed the newest copy.
      Promise.resolve(atWork)
        .catch(() => undefined)
        .then(enforceOnce)
        .catch((error: unknown) =>
          log.error({ err: error }, 'old former versions could not be removed; it is tried again'),
        );
    });
  }

  store.formerVersions.onGrowth(lookSoon);
  lookSoon();

  return {
    /** Resolves when no more than the quota is kept. */
    enforce: enforceOnce,
    /** The size and number of the copies at the last look, and the limits. */
    storage: () => ({
      usedBytes: used.bytes,
      limitBytes: quota.bytes,
      files: used.files,
      limitFiles: quota.files,
    }),
    end(): void {
      isEnded = true;
      stopWaiting?.();
    },
  };
}
