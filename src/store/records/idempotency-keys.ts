import type { Database } from 'better-sqlite3';
import { foundRow } from '../database/stored-values.ts';

export type KeptKey = {
  userId: string;
  key: string;
  /** SHA-256 of the request the key stands for. */
  fingerprint: string;
  /** The action, or the task, that the request became. */
  subjectId: string;
  /** The answer that was given; absent when the caller never got one. */
  answer?: unknown;
  createdAtMs: number;
};

export type KeyTable = ReturnType<typeof createKeyTable>;

/** The `Idempotency-Key` values under which actions, or tasks, were submitted. */
export function createKeyTable(database: Database, of: 'action' | 'task') {
  const table = of === 'action' ? 'idempotency_keys' : 'task_idempotency_keys';
  const insert = database.prepare(
    `INSERT INTO ${table} (user_id, key, fingerprint, ${of}_id, created_at_ms) VALUES (?, ?, ?, ?, ?)`,
  );
  const answer = database.prepare(`UPDATE ${table} SET answer = ? WHERE user_id = ? AND key = ?`);
  const find = database.prepare<unknown[], object>(
    `SELECT user_id, key, fingerprint, ${of}_id AS subject_id, answer, created_at_ms FROM ${table} WHERE user_id = ? AND key = ?`,
  );
  const forget = database.prepare(`DELETE FROM ${table} WHERE created_at_ms < ?`);
  const remove = database.prepare(`DELETE FROM ${table} WHERE user_id = ? AND key = ?`);
  return {
    insert(row: KeptKey): void {
      insert.run(row.userId, row.key, row.fingerprint, row.subjectId, row.createdAtMs);
    },
    keepAnswer(userId: string, key: string, given: unknown): void {
      answer.run(JSON.stringify(given), userId, key);
    },
    find: (userId: string, key: string): KeptKey | undefined => foundRow(find.get(userId, key), ['answer']),
    remove: (userId: string, key: string): void => void remove.run(userId, key),
    forgetBefore: (atMs: number): number => forget.run(atMs).changes,
  };
}
