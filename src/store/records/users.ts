import type { Database } from 'better-sqlite3';
import { foundRow, rowsOf } from '../database/stored-values.ts';

export type UserRow = {
  id: string;
  firstSeenAtMs: number;
  /** SHA-256 of the key that calls under this id must show; absent when none is needed. */
  keyHash?: string | undefined;
  pausedAtMs?: number | undefined;
  pausedBecause?: string | undefined;
  /** Denials before this time no longer count against the user. */
  denialsCountFromMs: number;
};

const COLUMNS = 'id, first_seen_at_ms, key_hash, paused_at_ms, paused_because, denials_count_from_ms';

/** Who has ever asked for something. `changed` is told of each change of a key or a pause. */
export function createUserTable(database: Database, changed: () => void = () => undefined) {
  const insert = database.prepare('INSERT OR IGNORE INTO users (id, first_seen_at_ms) VALUES (?, ?)');
  const find = database.prepare<unknown[], object>(`SELECT ${COLUMNS} FROM users WHERE id = ?`);
  const all = database.prepare<unknown[], object>(
    `SELECT ${COLUMNS} FROM users ORDER BY first_seen_at_ms DESC, id LIMIT ?`,
  );
  const paused = database.prepare<unknown[], object>(
    `SELECT ${COLUMNS} FROM users WHERE paused_at_ms IS NOT NULL ORDER BY paused_at_ms DESC LIMIT ?`,
  );
  const setKey = database.prepare('UPDATE users SET key_hash = ? WHERE id = ?');
  const pause = database.prepare('UPDATE users SET paused_at_ms = ?, paused_because = ? WHERE id = ?');
  const resume = database.prepare(
    'UPDATE users SET paused_at_ms = NULL, paused_because = NULL, denials_count_from_ms = ? WHERE id = ?',
  );
  const firstSeen = database.prepare('SELECT min(first_seen_at_ms) FROM users').pluck();
  const cache = new Map<string, UserRow>();

  function read(id: string): UserRow | undefined {
    const cached = cache.get(id);
    if (cached !== undefined) return cached;
    const row = foundRow<UserRow>(find.get(id));
    if (row !== undefined && cache.size < 10_000) cache.set(id, row);
    return row;
  }

  function forget(id: string): void {
    cache.delete(id);
    changed();
  }

  return {
    /** Remembers the first time; only inside a write transaction. */
    see(id: string, atMs: number): void {
      if (read(id) === undefined) insert.run(id, atMs);
    },
    find: read,
    /** The latest to appear first. */
    list: (limit: number): UserRow[] => rowsOf(all.all(limit)),
    /** When the first request of all came; `undefined` before it. Epoch ms. */
    firstSeenAtMs(): number | undefined {
      const atMs = firstSeen.get();
      return typeof atMs === 'number' ? atMs : undefined;
    },
    /** The latest to be paused first. */
    paused: (limit: number): UserRow[] => rowsOf(paused.all(limit)),
    setKeyHash(id: string, keyHash: string | null): void {
      setKey.run(keyHash, id);
      forget(id);
    },
    pause(id: string, atMs: number, because: string): void {
      pause.run(atMs, because, id);
      forget(id);
    },
    resume(id: string, atMs: number): void {
      resume.run(atMs, id);
      forget(id);
    },
    forgetCache: () => cache.clear(),
  };
}
