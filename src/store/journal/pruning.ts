import type { Database } from 'better-sqlite3';
import { type Checkpoint, isSigned, signatureOf } from './audit.ts';
import type { Head } from './journal.ts';

/** How many rows one transaction removes at most, so that nothing waits long for it. */
const BATCH = 500;
const DAY_MS = 86_400_000;

/**
 * Removes the oldest rows, those before a time, and leaves a signed checkpoint that the rest follows on. Only inside a write
 * transaction; answers how many were removed, less than there are when there are many.
 */
export function pruneJournal(database: Database, options: { beforeMs: number; nowMs: number; key: Buffer }): number {
  const oldest = database
    .prepare<unknown[], Head & { at_ms: number }>('SELECT seq, hash, at_ms FROM journal ORDER BY seq LIMIT ?')
    .all(BATCH);
  const firstKept = oldest.findIndex(({ at_ms }) => at_ms >= options.beforeMs);
  const rows = firstKept === -1 ? oldest : oldest.slice(0, firstKept);
  const last = rows.at(-1);
  if (last === undefined) return 0;
  const replaced = checkpointsOfDay(database, options);
  const removed = database.prepare('DELETE FROM journal_checkpoints WHERE seq = ?');
  for (const { seq } of replaced) removed.run(seq);
  const rowsPruned = replaced.reduce((sum, { rows_pruned }) => sum + rows_pruned, rows.length);
  const checkpoint = { seq: last.seq, hash: last.hash, rows_pruned: rowsPruned, at_ms: options.nowMs };
  database
    .prepare('INSERT INTO journal_checkpoints (seq, hash, rows_pruned, at_ms, signature) VALUES (?, ?, ?, ?, ?)')
    .run(last.seq, last.hash, rowsPruned, options.nowMs, signatureOf(checkpoint, options.key));
  return database.prepare('DELETE FROM journal WHERE seq <= ?').run(last.seq).changes;
}

/**
 * Merges a day's checkpoints into one. A checkpoint that is not signed with our key stays, for the next verification to
 * find.
 */
function checkpointsOfDay(database: Database, { nowMs, key }: { nowMs: number; key: Buffer }): Checkpoint[] {
  const dayMs = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const ofDay = database
    .prepare<unknown[], Checkpoint>('SELECT * FROM journal_checkpoints WHERE at_ms >= ?')
    .all(dayMs);
  return ofDay.filter((checkpoint) => isSigned(checkpoint, key));
}
