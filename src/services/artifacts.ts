import { decodeTime, isValid } from 'ulid';
import type { ArtifactRow } from '../store/artifacts.ts';
import type { Context } from './context.ts';
import { isRefusal, type Refusal } from './refusal.ts';
import type { ArtifactService } from './services.ts';

const KEPT_MS = 24 * 3_600_000;
const KEPT_BYTES = 500 * 1024 * 1024;

/** Pictures that actions made: their owner's only, for 24 hours or while they fit into 500 MB, whichever ends first. */
export function createArtifactService(context: Context): ArtifactService & { sweep(): Promise<void> } {
  const { store, clock } = context;

  function find(userId: string, artifactId: string): ArtifactRow | Refusal {
    const row = store.artifacts.find(userId, artifactId);
    if (row === undefined) return { refused: 'artifact_not_found', detail: `This user has no artifact ${artifactId}.` };
    return row.removedAtMs === undefined ? row : expired;
  }

  async function remove(row: ArtifactRow, kind: string): Promise<void> {
    store.write('relaxed', () => {
      store.artifacts.markRemoved(row.id, clock.nowMs());
      store.journal.append(clock.nowMs(), {
        kind,
        userId: row.userId,
        actionId: row.actionId,
        metadata: { sha256: row.sha256 },
      });
    });
    await store.artifactFiles.remove(row.id);
  }

  return {
    async open(userId, artifactId) {
      const row = find(userId, artifactId);
      if (isRefusal(row)) return row;
      const { mediaType, sizeBytes, sha256 } = row;
      const isOver = clock.nowMs() - row.createdAtMs > KEPT_MS;
      const bytes = isOver ? undefined : await store.artifactFiles.open(row.id, sizeBytes);
      return bytes === undefined ? expired : { mediaType, sizeBytes, sha256, bytes };
    },
    async remove(userId, artifactId) {
      const row = find(userId, artifactId);
      if (isRefusal(row)) return row;
      await remove(row, 'artifact.removed');
      return undefined;
    },
    /** Removes what retention no longer keeps, and files that belong to no row. */
    async sweep() {
      const kept = store.artifacts.kept();
      for (const row of beyondRetention(kept, clock.nowMs())) await remove(row, 'artifact.expired');
      const known = new Set(store.artifacts.kept().map(({ id }) => id));
      const strays = (await store.artifactFiles.list()).filter(
        (name) => !known.has(name) && isOld(name, clock.nowMs()),
      );
      await Promise.all(strays.map((name) => store.artifactFiles.remove(name)));
    },
  };
}

const expired: Refusal = {
  refused: 'artifact_expired',
  detail:
    'The artifact was removed or is past its retention (24 hours or 500 MB). Run the action again for a fresh one.',
};

function beyondRetention(newestFirst: readonly ArtifactRow[], nowMs: number): ArtifactRow[] {
  let total = 0;
  return newestFirst.filter((row) => {
    total += row.sizeBytes;
    return nowMs - row.createdAtMs > KEPT_MS || total > KEPT_BYTES;
  });
}

/** A file is written before its row: one that is young may be on its way. */
function isOld(name: string, nowMs: number): boolean {
  const ulid = name.slice('art_'.length, 'art_'.length + 26);
  return !isValid(ulid) || nowMs - decodeTime(ulid) > 60_000;
}
