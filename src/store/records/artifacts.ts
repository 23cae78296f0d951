import { constants } from 'node:fs';
import { type FileHandle, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Database } from 'better-sqlite3';
import type { EvidenceRole } from '../../contract/action.ts';
import type { Target } from '../../contract/targets.ts';
import { foundRow, rowsOf } from '../database/stored-values.ts';

export type ArtifactRow = {
  id: string;
  actionId: string;
  userId: string;
  mediaType: string;
  width: number;
  height: number;
  sizeBytes: number;
  sha256: string;
  createdAtMs: number;
  removedAtMs?: number | undefined;
  /** Set for a picture from before or after an input. Only the person sees such a picture. */
  role?: EvidenceRole | undefined;
};

const COLUMNS =
  'id, action_id, user_id, media_type, width, height, size_bytes, sha256, created_at_ms, removed_at_ms, role';

/** The rows of artifacts. Their bytes are files, see `createArtifactFiles`. */
export function createArtifactTable(database: Database) {
  const insert = database.prepare(
    `INSERT INTO artifacts (id, action_id, user_id, media_type, width, height, size_bytes, sha256, created_at_ms, role)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const byUser = database.prepare<unknown[], object>(
    `SELECT ${COLUMNS} FROM artifacts WHERE user_id = ? AND id = ? AND role IS NULL`, // guard N10-1
  );
  const byId = database.prepare<unknown[], object>(`SELECT ${COLUMNS} FROM artifacts WHERE id = ?`);
  const byAction = database.prepare<unknown[], object>(
    `SELECT ${COLUMNS} FROM artifacts WHERE action_id = ? AND role IS NULL ORDER BY id`,
  );
  const evidence = database.prepare<unknown[], object>(
    `SELECT ${COLUMNS} FROM artifacts WHERE action_id = ? AND role IS NOT NULL AND removed_at_ms IS NULL ORDER BY id`,
  );
  const ofLike = database.prepare<unknown[], object>(
    `SELECT ${COLUMNS.replaceAll(/\w+/gu, 'artifacts.$&')}, actions.targets FROM artifacts JOIN actions ON actions.id = action_id
     WHERE artifacts.user_id = ? AND role = ? AND removed_at_ms IS NULL AND action_type = ? AND status = 'success' AND action_id < ?
     ORDER BY artifacts.id DESC LIMIT ?`,
  );
  const remove = database.prepare('UPDATE artifacts SET removed_at_ms = ? WHERE id = ? AND removed_at_ms IS NULL');
  const createdBefore = database.prepare<unknown[], object>(
    `SELECT ${COLUMNS} FROM artifacts WHERE removed_at_ms IS NULL AND created_at_ms < ? ORDER BY created_at_ms LIMIT ?`,
  );
  const isKept = database.prepare('SELECT 1 FROM artifacts WHERE id = ? AND removed_at_ms IS NULL');
  return {
    insert(row: ArtifactRow): void {
      const { id, actionId, userId, mediaType, width, height, sizeBytes, sha256, createdAtMs, role = null } = row;
      insert.run(id, actionId, userId, mediaType, width, height, sizeBytes, sha256, createdAtMs, role);
    },
    /** One that a user's own action made. The pictures for the person are nobody's. */
    find: (userId: string, id: string): ArtifactRow | undefined => foundRow(byUser.get(userId, id)),
    /** An artifact of any user. */
    findById: (id: string): ArtifactRow | undefined => foundRow(byId.get(id)),
    /** The results of an action. */
    ofAction: (actionId: string): ArtifactRow[] => rowsOf(byAction.all(actionId)),
    /** The pictures of an input for the person, as far as they are kept: before it, then after it. */
    evidenceOf: (actionId: string): ArtifactRow[] => rowsOf(evidence.all(actionId)),
    /** The latest pictures of one role of what a user's actions of one type that succeeded met, before another action. */
    ofLike: (
      { userId, actionType, beforeId }: { userId: string; actionType: string; beforeId: string },
      role: EvidenceRole,
      limit: number,
    ): (ArtifactRow & { targets?: Target[] })[] =>
      rowsOf(ofLike.all(userId, role, actionType, beforeId, limit), ['targets']),
    /** Artifacts from before a time that were not removed, oldest first. */
    createdBefore: (atMs: number, limit: number): ArtifactRow[] => rowsOf(createdBefore.all(atMs, limit)),
    isKept: (id: string): boolean => isKept.get(id) !== undefined,
    markRemoved(id: string, atMs: number): boolean {
      return remove.run(atMs, id).changes === 1;
    },
  };
}

/** In one piece where the system takes it. */
async function writeWhole(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.byteLength; ) {
    const { bytesWritten } = await file.write(bytes, at, bytes.byteLength - at);
    at += bytesWritten;
  }
}

/** Each piece costs a change of thread, and waits in memory for its reader. */
const PIECE_BYTES = 262_144;
const NOFOLLOW = constants.O_NOFOLLOW;

/** The bytes of artifacts: one private file each, named by the id, which the caller has checked to be one. */
export function createArtifactFiles(folder: string) {
  const pathOf = (id: string) => join(folder, id);
  return {
    /** For the agent, which reads the file itself. */
    pathOf,
    async write(id: string, bytes: Uint8Array): Promise<void> {
      const temporary = `${pathOf(id)}.part`;
      const file = await open(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NOFOLLOW, 0o600);
      try {
        await writeWhole(file, bytes);
      } catch (error) {
        await file.close();
        // Left there, it would keep a later try from writing.
        await rm(temporary, { force: true });
        throw error;
      }
      await Promise.all([file.close(), rename(temporary, pathOf(id))]);
    },
    /** The bytes as a stream, or nothing where there is no ordinary file of that size. A file removed meanwhile is still read to its end. */
    async open(id: string, sizeBytes: number): Promise<Readable | undefined> {
      const file = await open(pathOf(id), constants.O_RDONLY | NOFOLLOW | constants.O_NONBLOCK).catch(() => undefined);
      if (file === undefined) return undefined;
      const stat = await file.stat().catch(() => undefined);
      if (stat?.isFile() === true && stat.size === sizeBytes)
        return file.createReadStream({ start: 0, end: sizeBytes - 1, highWaterMark: PIECE_BYTES });
      await file.close();
      return undefined;
    },
    remove: (id: string): Promise<void> => rm(pathOf(id), { force: true }),
    list: (): Promise<string[]> => readdir(folder),
  };
}

/** Results are in the database: the data that actions returned, parameters, and stored answers. Artifacts are files. */
export type ContentsKind = 'results' | 'artifacts';

/** The most bytes that are kept of a kind. */
export type Quota = { perUser: number; inAll: number };

/** A user, or all users together, with more than the quota; `bytes` is the surplus. */
type Surplus = { userId: string | null; bytes: number };

export type KeptContent = {
  place: 'action' | 'task' | 'action_answer' | 'task_answer' | 'artifact';
  userId: string;
  /** An id, or an `Idempotency-Key`. */
  subject: string;
  bytes: number;
};

/** Under this user id are the totals of all. */
const ALL = '';

/** How much is kept of contents that may be forgotten. The totals are kept by triggers, so reading them costs no scan. */
export function createKeptContents(database: Database) {
  const total = database.prepare('SELECT bytes FROM kept_bytes WHERE kind = ? AND user_id = ?').pluck();
  const largest = database.prepare<unknown[], { userId: string; bytes: number }>(
    `SELECT user_id AS userId, bytes FROM kept_bytes WHERE kind = ? AND bytes > ? AND user_id <> '' ORDER BY bytes DESC LIMIT 1`,
  );
  const columns = 'place, user_id AS userId, subject, bytes';
  const oldest = database.prepare<unknown[], KeptContent>(
    `SELECT ${columns} FROM kept_contents WHERE kind = ? ORDER BY id LIMIT ?`,
  );
  const oldestOfUser = database.prepare<unknown[], KeptContent>(
    `SELECT ${columns} FROM kept_contents WHERE kind = ? AND user_id = ? ORDER BY id LIMIT ?`,
  );
  const removals = {
    action: database.prepare(
      'UPDATE actions SET parameters = NULL, targets = NULL, data = NULL, sentence = NULL, done = NULL WHERE user_id = ? AND id = ?',
    ),
    task: database.prepare(
      'UPDATE task_steps SET parameters = NULL, targets = NULL WHERE task_id = (SELECT id FROM tasks WHERE user_id = ? AND id = ?)',
    ),
    action_answer: database.prepare('UPDATE idempotency_keys SET answer = NULL WHERE user_id = ? AND key = ?'),
    task_answer: database.prepare('UPDATE task_idempotency_keys SET answer = NULL WHERE user_id = ? AND key = ?'),
  };
  const uncount = database.prepare('DELETE FROM kept_contents WHERE place = ? AND user_id = ? AND subject = ?');
  const bytesOf = (kind: ContentsKind, userId: string): number => Number(total.get(kind, userId) ?? 0);
  return {
    /** The bytes that all users together have of a kind. */
    bytesInAll: (kind: ContentsKind): number => bytesOf(kind, ALL),
    bytesOfUser: bytesOf,
    /** Who has more than the quota, if anybody: the user with the most first. */
    surplus(kind: ContentsKind, quota: Quota): Surplus | undefined {
      const user = largest.get(kind, quota.perUser); // guard D2-1
      if (user !== undefined) return { userId: user.userId, bytes: user.bytes - quota.perUser };
      const bytes = bytesOf(kind, ALL) - quota.inAll; // guard D2-2
      return bytes > 0 ? { userId: null, bytes } : undefined;
    },
    /** The oldest contents that together are at least the surplus; at most `limit` of them. */
    oldest(kind: ContentsKind, { userId, bytes }: Surplus, limit: number): KeptContent[] {
      const rows = userId === null ? oldest.all(kind, limit) : oldestOfUser.all(kind, userId, limit);
      let freed = 0;
      return rows.filter((row) => {
        const isNeeded = freed < bytes;
        freed += row.bytes;
        return isNeeded;
      });
    },
    /** Forgets contents that are in the database; only inside a write transaction. Their records stay. */
    forget({ place, userId, subject }: KeptContent): void {
      if (place !== 'artifact') removals[place].run(userId, subject);
      uncount.run(place, userId, subject);
    },
  };
}
