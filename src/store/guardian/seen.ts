import type { Database } from 'better-sqlite3';
import type { SeenBefore } from '../../guardian/recording/demand.ts';

const SEEN_BATCH = 2_000;
/** How many rows are remembered once they were read. Most requests repeat an earlier one. */
const MOST_READ = 1_000;
/** After every key, which is a JSON array. */
const LAST_KEY = '~';

export type SeenTable = ReturnType<typeof createSeen>;

/** When each combination of requester, action type and target was last asked for. Notes stay in memory until `store` writes them. */
export function createSeen(database: Database) {
  const get = database.prepare<unknown[], { at_ms: number }>('SELECT at_ms FROM guardian_seen WHERE key = ?');
  const put = database.prepare('INSERT OR REPLACE INTO guardian_seen (key, at_ms) VALUES (?, ?)');
  const end = database
    .prepare<unknown[], string>(`SELECT key FROM guardian_seen WHERE key > ? ORDER BY key LIMIT 1 OFFSET ${SEEN_BATCH}`)
    .pluck();
  const prune = database.prepare('DELETE FROM guardian_seen WHERE key > ? AND key <= ? AND at_ms < ?');
  const noted = new Map<string, number>();
  /** Rows as they were last read. Only `store` changes one, and a row that `prune` removes is as old as none. */
  const read = new Map<string, number>();
  let prunedUpTo = '';

  function readAtMs(key: string): number | undefined {
    const known = read.get(key);
    if (known !== undefined) return known;
    const atMs = get.get(key)?.at_ms;
    if (read.size >= MOST_READ) read.clear();
    if (atMs !== undefined) read.set(key, atMs);
    return atMs;
  }

  return {
    lastAtMs: (key) => noted.get(key) ?? readAtMs(key),
    note: (key, atMs) => void noted.set(key, atMs),
    /** Only inside a write transaction. */
    store(): void {
      for (const [key, atMs] of noted) {
        put.run(key, atMs);
        read.delete(key);
      }
      noted.clear();
    },
    /** Forgets the notes that were not stored. */
    forget(): void {
      noted.clear();
      read.clear();
    },
    clear: (): void => void database.exec('DELETE FROM guardian_seen'),
    /** Checks some thousand rows; the next call continues after them. Only inside a write transaction. */
    prune(beforeMs: number): void {
      const upTo = end.get(prunedUpTo);
      prune.run(prunedUpTo, upTo ?? LAST_KEY, beforeMs);
      prunedUpTo = upTo ?? '';
    },
  } satisfies SeenBefore & Record<string, unknown>;
}
