import type { Database } from 'better-sqlite3';

/** Results are in the database: the data that actions returned, parameters, and stored answers. Artifacts are files. */
export type ContentsKind = 'results' | 'artifacts';

/** The most bytes that are kept of a kind. */
export type Quota = { perUser: number; inAll: number };

/** A user, or all users together, with more than the quota; `bytes` is the surplus. */
export type Surplus = { userId: string | null; bytes: number };

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
      const user = largest.get(kind, quota.perUser);
      if (user !== undefined) return { userId: user.userId, bytes: user.bytes - quota.perUser };
      const bytes = bytesOf(kind, ALL) - quota.inAll;
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
