import { FORMER_VERSIONS_QUOTA } from '../../contract/times.ts';
import type { ContentsKind, KeptContent, Quota } from '../../store/records/artifacts.ts';
import type { FormerVersion } from '../../store/records/undos.ts';
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

const oldestIn = ({ versions }: Share): number => versions[0]?.age ?? Number.POSITIVE_INFINITY;

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

/** The limit that is exceeded: bytes or number of files. */
type Exceeded = 'bytes' | 'files';

/** The use of one requester, with its versions from the oldest to the newest. */
type Share = Record<Exceeded, number> & { versions: Ranked[] };

/** `age`: the place in the order of all versions, 0 for the oldest. */
type Ranked = { version: FormerVersion; age: number };

/**
 * Picks the former version to remove next: the oldest one of the requester with the most bytes, or the most files. So the
 * overwrites of one requester cannot push out the former versions of another one that uses less. `versions` has the oldest first.
 */
function createFairRemoval(
  versions: readonly FormerVersion[],
  ownerOf: (version: FormerVersion) => string,
): { next(exceeded: Exceeded): FormerVersion | undefined } {
  const shares = sharesOf(versions, ownerOf);
  return {
    next(exceeded) {
      const [share] = shares
        .filter((each) => each.versions.length > 0)
        .toSorted((one, other) => other[exceeded] - one[exceeded] || oldestIn(one) - oldestIn(other));
      const next = share?.versions.shift();
      if (share === undefined || next === undefined) return undefined;
      share.bytes -= next.version.sizeBytes;
      share.files -= 1;
      return next.version;
    },
  };
}

function sharesOf(versions: readonly FormerVersion[], ownerOf: (version: FormerVersion) => string): Share[] {
  const shares = new Map<string, Share>();
  for (const [age, version] of versions.entries()) {
    const owner = ownerOf(version);
    const share = shares.get(owner) ?? { bytes: 0, files: 0, versions: [] };
    share.versions.push({ version, age });
    share.bytes += version.sizeBytes;
    share.files += 1;
    shares.set(owner, share);
  }
  return [...shares.values()];
}
