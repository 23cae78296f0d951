import type { Database } from 'better-sqlite3';
import type { UpInterval } from '../../guardian/recording/uptime.ts';
import { COUNTS_KEPT_MS, type Span } from './units.ts';

type Stored = { seq: number; from_ms: number; to_ms: number; is_ready: 0 | 1; is_locked: 0 | 1 };

/** The intervals in which the daemon was up. */
export function createUpIntervals(database: Database) {
  const put = database.prepare(
    'INSERT OR REPLACE INTO guardian_up_intervals (seq, from_ms, to_ms, is_ready, is_locked) VALUES (?, ?, ?, ?, ?)',
  );
  const prune = database.prepare('DELETE FROM guardian_up_intervals WHERE to_ms < ?');
  const between = database.prepare<unknown[], Stored>(
    'SELECT * FROM guardian_up_intervals WHERE to_ms > ? AND from_ms < ? ORDER BY seq',
  );
  return {
    put({ seq, fromMs, toMs, isReady, isLocked }: UpInterval): void {
      put.run(seq, fromMs, toMs, isReady ? 1 : 0, isLocked ? 1 : 0);
    },
    within: ({ fromMs, toMs }: Span): UpInterval[] =>
      between.all(fromMs, toMs).map((row) => ({
        seq: row.seq,
        fromMs: row.from_ms,
        toMs: row.to_ms,
        isReady: row.is_ready === 1,
        isLocked: row.is_locked === 1,
      })),
    prune: (nowMs: number): void => void prune.run(nowMs - COUNTS_KEPT_MS.day),
    clear: (): void => void database.exec('DELETE FROM guardian_up_intervals'),
  };
}
