import type { ContentsKind, KeptContent, Quota } from '../../store/records/artifacts.ts';
import type { Context } from '../context.ts';
import { isStorageFailure } from '../work/storage-failure.ts';

const MIB = 1024 * 1024;

/** The most that is kept of contents, in bytes; the oldest go first. Results are in the database, artifacts are files. */
export const CONTENTS_QUOTA: Record<ContentsKind, Quota> = {
  results: { perUser: 64 * MIB, inAll: 256 * MIB },
  artifacts: { perUser: 250 * MIB, inAll: 500 * MIB },
};

/** How long after a change the totals are looked at: often enough for a flood, and not at every action. */
const LOOK_AFTER_MS = 100;
/** Contents that one transaction forgets at most, so that no call waits long for it. */
const BATCH = 20;
/** The most transactions in one go; the rest follows after the next change. */
const MOST_ROUNDS = 1_000;

/** Forgets the oldest contents beyond the quota, soon after something was stored. Records stay: their contents are absent then. */
export function createContentsQuota(
  context: Context,
  {
    removeArtifacts,
    quota = CONTENTS_QUOTA,
  }: { removeArtifacts(contents: readonly KeptContent[]): Promise<void>; quota?: Record<ContentsKind, Quota> },
) {
  const { store, clock, log } = context;
  const used = { results: 0, artifacts: 0 };
  let stopWaiting: (() => void) | undefined;
  let isEnded = false;

  async function forgetSome(kind: ContentsKind): Promise<boolean> {
    const surplus = store.kept.surplus(kind, quota[kind]);
    if (surplus === undefined || isEnded) return false;
    const contents = store.kept.oldest(kind, surplus, BATCH);
    if (kind === 'artifacts') await removeArtifacts(contents);
    else store.write('relaxed', () => contents.forEach(store.kept.forget));
    return contents.length > 0;
  }

  async function enforce(): Promise<void> {
    for (const kind of ['results', 'artifacts'] as const) {
      for (let round = 0; round < MOST_ROUNDS && (await forgetSome(kind)); round += 1) await new Promise(setImmediate);
    }
  }

  let atWork: Promise<void> | undefined;
  const enforceOnce = (): Promise<void> => {
    atWork ??= enforce().finally(() => {
      atWork = undefined;
    });
    return atWork;
  };

  store.journal.onCommitted(() => {
    if (isEnded) return;
    stopWaiting ??= clock.after(LOOK_AFTER_MS, () => {
      stopWaiting = undefined;
      enforceOnce().catch((error: unknown) =>
        log.error({ err: error }, 'old contents could not be forgotten; it is tried again'),
      );
    });
  });

  return {
    /** Resolves when nobody has more than the quota. */
    enforce: enforceOnce,
    /** The size of the kept contents, and its limit. While the store fails: the last known size. */
    storage() {
      try {
        if (store.condition() === 'ok') {
          used.results = store.kept.bytesInAll('results');
          used.artifacts = store.kept.bytesInAll('artifacts');
        }
      } catch (error) {
        // Health must answer also where this cannot be read.
        if (!isStorageFailure(error)) throw error;
        store.noteFailure(error);
      }
      return {
        results: { usedBytes: used.results, limitBytes: quota.results.inAll, limitBytesPerUser: quota.results.perUser },
        artifacts: {
          usedBytes: used.artifacts,
          limitBytes: quota.artifacts.inAll,
          limitBytesPerUser: quota.artifacts.perUser,
        },
      };
    },
    end(): void {
      isEnded = true;
      stopWaiting?.();
    },
  };
}
