import type { Database } from 'better-sqlite3';

/** Who has ever asked for something, and since when. */
export function createUserTable(database: Database) {
  const insert = database.prepare('INSERT OR IGNORE INTO users (id, first_seen_at_ms) VALUES (?, ?)');
  const find = database.prepare('SELECT first_seen_at_ms AS atMs FROM users WHERE id = ?');
  const seen = new Set<string>();
  return {
    /** Remembers the first time; only inside a write transaction. */
    see(id: string, atMs: number): void {
      if (seen.has(id)) return;
      insert.run(id, atMs);
      if (seen.size < 10_000) seen.add(id);
    },
    firstSeenAtMs(id: string): number | undefined {
      return (find.get(id) as { atMs: number } | undefined)?.atMs;
    },
    forgetCache: () => seen.clear(),
  };
}
