import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { writeDurably } from './durable-file.ts';

/** The setting that counts the changes of protections, so that the newer of two copies is known. */
const VERSION = 'protectionsVersion';
/** The settings that protect the person: since when everything is stopped, and the version of the rules. */
const PROTECTING_SETTINGS = ['pausedAtMs', 'policyVersion', VERSION];

/** Everything in the database that keeps requests from running. */
type Protections = {
  settings: { name: string; value: string }[];
  profiles: { name: string; definition: string }[];
  assignments: { userId: string; profile: string }[];
  /** User ids that are paused or have a key. */
  users: {
    id: string;
    firstSeenAtMs: number;
    keyHash: string | null;
    pausedAtMs: number | null;
    pausedBecause: string | null;
  }[];
  /** The folders that the person allows: a folder that is not among them was taken back, or never allowed. */
  folders?: { userId: string; path: string; access: string }[];
};

export type ProtectionsFile = ReturnType<typeof createProtectionsFile>;

/**
 * Keeps a second copy of everything in the database that protects the person, in a small file beside it. A damaged database must not
 * open what the person closed. The file is written before the change is committed, so it is never older than the database.
 */
export function createProtectionsFile(database: Database, path: string) {
  let isStale = false;
  let isAhead = false;

  const countChange = database.prepare(
    `INSERT INTO settings (name, value) VALUES ('${VERSION}', '1') ON CONFLICT DO UPDATE SET value = CAST(value + 1 AS TEXT)`,
  );

  function store(): void {
    writeDurably(path, textOf(readFrom(database)));
    isStale = false;
    isAhead = true;
  }

  return {
    /** A protection changed, or a grant was taken back, in the transaction that is under way. */
    changed(): void {
      isStale = true;
    },
    settingChanged(name: string): void {
      isStale ||= PROTECTING_SETTINGS.includes(name);
    },
    /** To be called before a transaction is committed. Throws where the file cannot be written. */
    beforeCommit(): void {
      if (!isStale) return;
      countChange.run();
      store();
    },
    committed(): void {
      isAhead = false;
    },
    /** The transaction was undone; a file that was written in it is written again with the next one. */
    rolledBack(): void {
      isStale ||= isAhead;
      isAhead = false;
    },
    /** Writes the file at a start where it does not say the same as the database. A full disk does not end the start. */
    compare(): void {
      if (readText(path) === textOf(readFrom(database))) return;
      try {
        store();
      } catch {
        isStale = true;
      }
      isAhead = false;
    },
  };
}

/** The protections in a file; nothing where it is missing or damaged. */
export function readProtectionsFile(path: string): Protections | undefined {
  const text = readText(path);
  const [digest = '', json = ''] = text?.split('\n') ?? [];
  return digest === hash('sha256', json) ? (JSON.parse(json) as Protections) : undefined;
}

export type Comparison =
  | { kind: 'same' }
  /** The second copy is missing or damaged, so the database alone says what holds. */
  | { kind: 'alone' }
  /** They do not say the same. `newer`: the one with the later change, and the second copy where that is not known. */
  | { kind: 'differs'; newer: 'database' | Protections; parts: string[] };

/** Compares a database that was just opened with the second copy of its protections. */
export function compareProtections(database: Database, path: string): Comparison {
  const second = readProtectionsFile(path);
  // Builds from before the first release wrote no folders.
  if (second?.folders === undefined) return { kind: 'alone' };
  const first = readFrom(database);
  const parts = PARTS.filter((part) => JSON.stringify(first[part]) !== JSON.stringify(second[part]));
  if (parts.length === 0) return { kind: 'same' };
  return { kind: 'differs', newer: versionIn(first) > versionIn(second) ? 'database' : second, parts };
}

const PARTS = ['settings', 'profiles', 'assignments', 'users', 'folders'] as const;

function versionIn({ settings }: Protections): number {
  return Number(settings.find(({ name }) => name === VERSION)?.value ?? 0);
}

/** Whether anything is closed by these. */
export function isProtecting({ settings, assignments, profiles, users }: Protections): boolean {
  const isStopped = settings.some(({ name, value }) => name === 'pausedAtMs' && value !== 'null');
  return isStopped || assignments.length + profiles.length + users.length > 0;
}

/** Replaces the protections in a database by these; only inside a transaction. */
export function layProtections(
  database: Database,
  { settings, profiles, assignments, users, folders }: Protections,
): void {
  const setSetting = database.prepare('INSERT OR REPLACE INTO settings (name, value) VALUES (:name, :value)');
  for (const setting of settings) setSetting.run(setting);
  database.exec('DELETE FROM profiles; DELETE FROM profile_assignments;');
  const putProfile = database.prepare('INSERT INTO profiles (name, definition) VALUES (:name, :definition)');
  for (const profile of profiles) putProfile.run(profile);
  const assign = database.prepare('INSERT INTO profile_assignments (user_id, profile) VALUES (:userId, :profile)');
  for (const assignment of assignments) assign.run(assignment);
  database.exec('UPDATE users SET key_hash = NULL, paused_at_ms = NULL, paused_because = NULL');
  const putUser = database.prepare(
    `INSERT INTO users (id, first_seen_at_ms, key_hash, paused_at_ms, paused_because)
     VALUES (:id, :firstSeenAtMs, :keyHash, :pausedAtMs, :pausedBecause)
     ON CONFLICT DO UPDATE SET key_hash = excluded.key_hash, paused_at_ms = excluded.paused_at_ms, paused_because = excluded.paused_because`,
  );
  for (const user of users) putUser.run(user);
  if (folders === undefined) return;
  const allowed = JSON.stringify(folders.map(({ userId, path, access }) => [userId, path, access]));
  database
    .prepare(
      'DELETE FROM allowed_folders WHERE json_array(user_id, path, access) NOT IN (SELECT value FROM json_each(?))',
    )
    .run(allowed);
}

function readFrom(database: Database): Protections {
  const names = PROTECTING_SETTINGS.map((name) => `'${name}'`).join(', ');
  return {
    settings: rows(database, `SELECT name, value FROM settings WHERE name IN (${names}) ORDER BY name`),
    profiles: rows(database, 'SELECT name, definition FROM profiles ORDER BY name'),
    assignments: rows(database, 'SELECT user_id AS userId, profile FROM profile_assignments ORDER BY user_id'),
    users: rows(
      database,
      `SELECT id, first_seen_at_ms AS firstSeenAtMs, key_hash AS keyHash, paused_at_ms AS pausedAtMs, paused_because AS pausedBecause
       FROM users WHERE key_hash IS NOT NULL OR paused_at_ms IS NOT NULL ORDER BY id`,
    ),
    folders: rows(database, 'SELECT user_id AS userId, path, access FROM allowed_folders ORDER BY user_id, path'),
  };
}

function rows<Row>(database: Database, sql: string): Row[] {
  return database.prepare<unknown[], Row>(sql).all();
}

/** One line of digest, one line of JSON. The digest shows damage; it does not prove who wrote the file. */
function textOf(protections: Protections): string {
  const json = JSON.stringify(protections);
  return `${hash('sha256', json)}\n${json}\n`;
}

/** A file that cannot be read says nothing, as one that is missing. */
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
