import type { Readable } from 'node:stream';
import { decodeTime, isValid } from 'ulid';
import type { ArtifactRow, KeptContent } from '../../store/records/artifacts.ts';
import type { Context } from '../context.ts';
import { isRefusal, type Refusal } from '../refusal.ts';

export const ARTIFACTS_KEPT_MS = 24 * 3_600_000; // guard E-13
/** Artifacts that one step of a sweep removes. */
const BATCH = 20;

/** `bytes` must be read to its end or destroyed: it holds a file open. */
export type ArtifactContent = { mediaType: string; sizeBytes: number; sha256: string; bytes: Readable };

export type ArtifactService = {
  open(userId: string, artifactId: string): Promise<ArtifactContent | Refusal>;
  remove(userId: string, artifactId: string): Promise<undefined | Refusal>;
};

/** Operations on artifacts for the other services, beside those for the owner. */
export type ArtifactKeeper = {
  /** Removes artifacts that are older than 24 hours, and files that belong to no row. */
  sweep(nowMs?: number): Promise<void>;
  /** Opens one of any user, for the person at the dashboard. */
  openForPerson(artifactId: string): Promise<ArtifactContent | Refusal>;
  /** Removes some that are beyond the quota. */
  expire(contents: readonly Pick<KeptContent, 'subject'>[]): Promise<void>;
};

/** Pictures that actions made: only their owner reads them, for 24 hours or until the quota is reached, whichever comes first. */
export function createArtifactService(context: Context): ArtifactService & ArtifactKeeper {
  const { store, clock } = context;

  function find(userId: string, artifactId: string): ArtifactRow | Refusal {
    const row = store.artifacts.find(userId, artifactId);
    if (row === undefined) return { refused: 'artifact_not_found', detail: `This user has no artifact ${artifactId}.` };
    return row.removedAtMs === undefined ? row : expired;
  }

  async function remove(rows: readonly ArtifactRow[], kind: 'artifact.removed' | 'artifact.expired'): Promise<void> {
    store.write('relaxed', () => {
      for (const { id, userId, actionId, sha256 } of rows) {
        store.artifacts.markRemoved(id, clock.nowMs());
        store.journal.append(clock.nowMs(), { kind, userId, actionId, metadata: { sha256 } });
      }
    });
    for (const { id } of rows) await store.artifactFiles.remove(id);
  }

  async function contentOf(row: ArtifactRow): Promise<ArtifactContent | Refusal> {
    const { mediaType, sizeBytes, sha256 } = row;
    const isOver = clock.nowMs() - row.createdAtMs > ARTIFACTS_KEPT_MS;
    const bytes = isOver ? undefined : await store.artifactFiles.open(row.id, sizeBytes);
    return bytes === undefined ? expired : { mediaType, sizeBytes, sha256, bytes };
  }

  return {
    async open(userId, artifactId) {
      const row = find(userId, artifactId);
      return isRefusal(row) ? row : contentOf(row);
    },
    async openForPerson(artifactId) {
      const row = store.artifacts.findById(artifactId);
      if (row === undefined) return { refused: 'artifact_not_found', detail: `There is no artifact ${artifactId}.` };
      return row.removedAtMs === undefined ? contentOf(row) : expired;
    },
    async remove(userId, artifactId) {
      const row = find(userId, artifactId);
      if (isRefusal(row)) return row;
      await remove([row], 'artifact.removed');
      return undefined;
    },
    async expire(contents) {
      const rows = contents.map(({ subject }) => store.artifacts.findById(subject));
      await remove(
        rows.filter((row) => row !== undefined),
        'artifact.expired',
      );
    },
    async sweep(nowMs = clock.nowMs()) {
      for (;;) {
        const old = store.artifacts.createdBefore(nowMs - ARTIFACTS_KEPT_MS, BATCH);
        if (old.length > 0) await remove(old, 'artifact.expired');
        if (old.length < BATCH) break;
      }
      for (const name of await store.artifactFiles.list()) {
        if (isOld(name, clock.nowMs()) && !store.artifacts.isKept(name)) await store.artifactFiles.remove(name);
      }
    },
  };
}

const expired: Refusal = {
  refused: 'artifact_expired',
  detail:
    'The artifact was removed or is past its retention: 24 hours, 250 MB for each user id and 500 MB in all. Run the action again for a fresh one.',
};

/** A file is written before its row: one that is young may be on its way. */
function isOld(name: string, nowMs: number): boolean {
  const ulid = name.slice('art_'.length, 'art_'.length + 26);
  return !isValid(ulid) || nowMs - decodeTime(ulid) > 60_000;
}
