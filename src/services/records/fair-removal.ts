import type { FormerVersion } from '../../store/records/former-versions.ts';

/** The limit that is exceeded: bytes or number of files. */
export type Exceeded = 'bytes' | 'files';

/** The use of one requester, with its versions from the oldest to the newest. */
type Share = Record<Exceeded, number> & { versions: Ranked[] };

/** `age`: the place in the order of all versions, 0 for the oldest. */
type Ranked = { version: FormerVersion; age: number };

/**
 * Picks the former version to remove next: the oldest one of the requester with the most bytes, or the most files. So the
 * overwrites of one requester cannot push out the former versions of another one that uses less. `versions` has the oldest first.
 */
export function createFairRemoval(
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

const oldestIn = ({ versions }: Share): number => versions[0]?.age ?? Number.POSITIVE_INFINITY;
