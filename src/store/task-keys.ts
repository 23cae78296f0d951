import type { Database } from 'better-sqlite3';

export type TaskKeyRow = {
  userId: string;
  key: string;
  /** SHA-256 of the request the key stands for. */
  fingerprint: string;
  taskId: string;
  /** The answer that was given; absent when the caller never got one. */
  answer?: unknown;
  createdAtMs: number;
};

type Stored = { fingerprint: string; task_id: string; answer: string | null; created_at_ms: number };

/** The `Idempotency-Key` values under which tasks were submitted. */
export function createTaskKeyTable(database: Database) {
  const insert = database.prepare(
    'INSERT INTO task_idempotency_keys (user_id, key, fingerprint, task_id, created_at_ms) VALUES (?, ?, ?, ?, ?)',
  );
  const answer = database.prepare('UPDATE task_idempotency_keys SET answer = ? WHERE user_id = ? AND key = ?');
  const find = database.prepare('SELECT * FROM task_idempotency_keys WHERE user_id = ? AND key = ?');
  const forget = database.prepare('DELETE FROM task_idempotency_keys WHERE created_at_ms < ?');
  return {
    insert(row: TaskKeyRow): void {
      insert.run(row.userId, row.key, row.fingerprint, row.taskId, row.createdAtMs);
    },
    keepAnswer: (userId: string, key: string, given: unknown): void =>
      void answer.run(JSON.stringify(given), userId, key),
    find(userId: string, key: string): TaskKeyRow | undefined {
      const stored = find.get(userId, key) as Stored | undefined;
      if (stored === undefined) return undefined;
      return {
        userId,
        key,
        fingerprint: stored.fingerprint,
        taskId: stored.task_id,
        answer: stored.answer === null ? undefined : (JSON.parse(stored.answer) as unknown),
        createdAtMs: stored.created_at_ms,
      };
    },
    forgetBefore: (atMs: number): number => forget.run(atMs).changes,
  };
}
