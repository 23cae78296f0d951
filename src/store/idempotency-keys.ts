import type { Database } from 'better-sqlite3';

export type IdempotencyRow = {
  userId: string;
  key: string;
  /** SHA-256 of the request the key stands for. */
  fingerprint: string;
  actionId: string;
  /** The answer that was given; absent when the caller never got one. */
  answer?: unknown;
  createdAtMs: number;
};

type Stored = {
  user_id: string;
  key: string;
  fingerprint: string;
  action_id: string;
  answer: string | null;
  created_at_ms: number;
};

export function createIdempotencyTable(database: Database) {
  const insert = database.prepare(
    'INSERT INTO idempotency_keys (user_id, key, fingerprint, action_id, created_at_ms) VALUES (?, ?, ?, ?, ?)',
  );
  const answer = database.prepare('UPDATE idempotency_keys SET answer = ? WHERE user_id = ? AND key = ?');
  const find = database.prepare('SELECT * FROM idempotency_keys WHERE user_id = ? AND key = ?');
  const forget = database.prepare('DELETE FROM idempotency_keys WHERE created_at_ms < ?');
  return {
    insert(row: IdempotencyRow): void {
      insert.run(row.userId, row.key, row.fingerprint, row.actionId, row.createdAtMs);
    },
    keepAnswer(userId: string, key: string, given: unknown): void {
      answer.run(JSON.stringify(given), userId, key);
    },
    find(userId: string, key: string): IdempotencyRow | undefined {
      const stored = find.get(userId, key) as Stored | undefined;
      return stored === undefined
        ? undefined
        : {
            userId,
            key,
            fingerprint: stored.fingerprint,
            actionId: stored.action_id,
            answer: stored.answer === null ? undefined : (JSON.parse(stored.answer) as unknown),
            createdAtMs: stored.created_at_ms,
          };
    },
    forgetBefore: (atMs: number): number => forget.run(atMs).changes,
  };
}
