import type { Database } from 'better-sqlite3';
import type { CallingProgram } from '../../contract/program.ts';
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

/** A requester's name that another program used. `before` is the program that used it last before that. Epoch ms. */
type ProgramChange = {
  userId: string;
  subjectId: string;
  nameKey: string;
  now: CallingProgram;
  before: CallingProgram;
  atMs: number;
};

type Stored = { userId: string; subjectId: string; nameKey: string; now: string; before: string; atMs: number };

/** Which program submitted what. `subjectId` is an action or a task. */
export function createCallingProgramTable(database: Database) {
  const put = database.prepare(
    `INSERT INTO calling_programs (subject_id, user_id, name_key, program, at_ms) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (subject_id) DO UPDATE SET name_key = excluded.name_key, program = excluded.program`,
  );
  const find = database.prepare('SELECT program FROM calling_programs WHERE subject_id = ?').pluck();
  // A program that the requester's name has never come from before, although others have. Each program of the time after the moment
  // is looked up once: to look up every row costs seconds with some thousand rows. Without the named index SQLite reads every row for
  // the groups; the latest row of a name is nearly always of the same program, so that is where the search begins.
  const changes = database.prepare<unknown[], Stored>(
    `WITH lately AS MATERIALIZED (
       SELECT user_id, name_key, subject_id, program, min(at_ms) AS at_ms FROM calling_programs INDEXED BY calling_programs_by_age
       WHERE at_ms > :afterMs AND name_key <> '' GROUP BY user_id, name_key
     ), fresh AS MATERIALIZED (
       SELECT * FROM lately WHERE (
         SELECT 1 FROM calling_programs same
         WHERE same.user_id = lately.user_id AND same.name_key = lately.name_key AND same.at_ms <= :afterMs
         ORDER BY same.at_ms DESC LIMIT 1) IS NULL
     )
     SELECT user_id AS userId, subject_id AS subjectId, name_key AS nameKey, program AS now, at_ms AS atMs,
       (SELECT earlier.program FROM calling_programs earlier WHERE earlier.user_id = fresh.user_id AND earlier.at_ms < fresh.at_ms
          AND earlier.name_key NOT IN ('', fresh.name_key) ORDER BY earlier.at_ms DESC LIMIT 1) AS before
     FROM fresh WHERE before IS NOT NULL ORDER BY atMs DESC LIMIT :limit`,
  );
  const forget = database.prepare('DELETE FROM calling_programs WHERE at_ms < ?');
  return {
    /** Only inside a write transaction. `nameKey` is empty where the program is not known. */
    put(subjectId: string, of: { userId: string; nameKey: string; program: CallingProgram; atMs: number }): void {
      put.run(subjectId, of.userId, of.nameKey, JSON.stringify(of.program), of.atMs);
    },
    find(subjectId: string): CallingProgram | undefined {
      const stored = find.get(subjectId);
      return typeof stored === 'string' ? JSON.parse(stored) : undefined;
    },
    /** The requesters whose name came from a new program after a moment, the latest first. */
    changes: (query: { afterMs: number; limit: number }): ProgramChange[] =>
      changes.all(query).map(({ now, before, ...rest }) => ({
        ...rest,
        now: JSON.parse(now),
        before: JSON.parse(before),
      })),
    /** Only inside a write transaction. */
    forgetBefore: (atMs: number): void => void forget.run(atMs),
  };
}
