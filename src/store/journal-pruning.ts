import type { Database } from 'better-sqlite3';
import type { Head } from './journal.ts';
import { signatureOf } from './journal-audit.ts';

/** How many rows one transaction removes at most, so that nothing waits long for it. */
const BATCH = 5_000;

/**
 * Removes the oldest rows, those before a time, and leaves a signed checkpoint that the rest follows on. Only inside a write
 * transaction; answers how many were removed, less than there are when there are many.
 */
export function pruneJournal(database: Database, options: { beforeMs: number; nowMs: number; key: Buffer }): number {
  const rows = database
    .prepare('SELECT seq, hash FROM journal WHERE at_ms < ? ORDER BY seq LIMIT ?')
    .all(options.beforeMs, BATCH) as Head[];
  const last = rows.at(-1);
  if (last === undefined) return 0;
  const checkpoint = { seq: last.seq, hash: last.hash, rows_pruned: rows.length, at_ms: options.nowMs };
  database
    .prepare('INSERT INTO journal_checkpoints (seq, hash, rows_pruned, at_ms, signature) VALUES (?, ?, ?, ?, ?)')
    .run(last.seq, last.hash, rows.length, options.nowMs, signatureOf(checkpoint, options.key));
  return database.prepare('DELETE FROM journal WHERE seq <= ?').run(last.seq).changes;
}
