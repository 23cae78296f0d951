import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { openDamaged } from './damaged.ts';
import { type DataDirectory, privateFile } from './data-directory.ts';
import { syncPath } from './durable-file.ts';
import { applyMigrations, stepsTaken } from './migrate.ts';
import { type Comparison, layProtections, readProtectionsFile } from './protections.ts';
import { salvage } from './salvage.ts';

/** The result of building a damaged database anew, or of a start with one that is older than the files beside it. */
export type Renewal = {
  atMs: number;
  /** The database was not damaged: it, or the file named here, is older than the other, or the journal was cut. */
  older?: 'database' | 'second copy' | 'journal';
  /** The parts of the protections in which the database and the second copy differ. */
  differs?: string[];
  /** Where the damaged database is now; absent where it was missing. */
  movedAside?: string;
  /** The tables of which rows are missing. */
  lost: string[];
  /** Whether the rules, locked ids and pauses hold as before. Otherwise everybody has the profile `lockdown`. */
  areRulesKept: boolean;
};

/** The setting that holds the latest renewal until the person resumes. */
export const RENEWAL = 'databaseRenewal';

/** The setting that holds the sessions of the dashboard from one run to the next. */
export const KEPT_SESSIONS = 'consoleSessions';

type Renewing = { directory: DataDirectory; now(): number; migrations: readonly string[] };

/**
 * Builds a new database from the readable rows of the damaged one, and moves the damaged one aside. Stops everything until the person
 * resumes, because a lost row may have been the one that kept an action from running. Rules, locked ids and pauses come from the second
 * copy. If that is damaged too, every requester gets the profile `lockdown`. The new database gets its name only when it is whole.
 * Throws OlderDatabase.
 */
export function renewDatabase({ directory, now, migrations }: Renewing): Renewal {
  const atMs = now();
  const fresh = `${directory.database}.new`;
  const mended = `${directory.database}.mended`;
  for (const path of [fresh, mended]) remove(path);
  const damaged = openDamaged(directory.database, mended);
  try {
    const steps = damaged === undefined ? migrations.length : stepsTaken(damaged, migrations);
    privateFile(fresh);
    const database = createEmpty(fresh, migrations.slice(0, steps));
    try {
      const { lost, areRulesKept } = fill(database, { damaged, atMs, protectionsPath: directory.protections });
      applyMigrations(database, migrations);
      const movedAside = moveAside(directory.database, atMs);
      const renewal = { atMs, movedAside, lost, areRulesKept };
      noteRenewal(database, renewal);
      database.close();
      putInPlace(fresh, directory);
      return renewal;
    } finally {
      database.close();
    }
  } finally {
    damaged?.close();
    remove(mended);
  }
}

type Found = { comparison: Comparison; isJournalBroken: boolean; atMs: number };

/**
 * Lets the newer of the database and the second copy hold where they differ, and stops everything until the person resumes. The same where
 * the journal does not end as its anchor says: then grants may be back that the person had revoked. Without a second copy everybody
 * gets the profile `lockdown` then. Call it inside a transaction. Answers nothing where all is as it was left.
 */
export function holdNewer(
  database: Database.Database,
  { comparison, isJournalBroken, atMs }: Found,
): Renewal | undefined {
  if (comparison.kind !== 'differs' && !isJournalBroken) return undefined; // guard S9-1
  const isSecondNewer = comparison.kind === 'differs' && comparison.newer !== 'database';
  const areRulesKept = comparison.kind !== 'alone';
  if (comparison.kind === 'differs' && comparison.newer !== 'database') layProtections(database, comparison.newer);
  if (!areRulesKept) lockDown(database);
  else if (isSecondNewer || isJournalBroken) database.exec('DELETE FROM grants');
  endSessions(database);
  stopEverything(database, atMs);
  const older = isSecondNewer ? 'database' : isJournalBroken ? 'journal' : 'second copy';
  const differs = comparison.kind === 'differs' ? { differs: comparison.parts } : {};
  const renewal: Renewal = { atMs, older, ...differs, lost: [], areRulesKept };
  noteRenewal(database, renewal);
  return renewal;
}

function createEmpty(path: string, migrations: readonly string[]): Database.Database {
  const database = new Database(path);
  database.pragma('foreign_keys = OFF');
  // Nobody else reads it yet, and it is written to the disk before it gets its name.
  database.pragma('journal_mode = MEMORY');
  database.pragma('synchronous = OFF');
  applyMigrations(database, migrations);
  return database;
}

type Filling = { damaged: Database.Database | undefined; atMs: number; protectionsPath: string };

function fill(database: Database.Database, { damaged, atMs, protectionsPath }: Filling) {
  return database.transaction(() => {
    const lost = salvage(database, damaged);
    const protections = readProtectionsFile(protectionsPath);
    const areRulesKept = protections !== undefined || RULE_TABLES.every((table) => !lost.has(table));
    // guard S5-1
    if (protections !== undefined) layProtections(database, protections);
    else if (!areRulesKept) lockDown(database); // guard S5-2
    endSessions(database);
    stopEverything(database, atMs); // guard S5-3
    countFromHere(database);
    return { lost: [...lost], areRulesKept };
  })();
}

const RULE_TABLES = ['settings', 'profiles', 'profile_assignments', 'users'];

/** A grant was given to an id whose key may be lost. */
function lockDown(database: Database.Database): void {
  database.exec(`DELETE FROM profile_assignments;
    INSERT INTO profile_assignments (user_id, profile) VALUES ('*', 'lockdown');
    DELETE FROM grants;`);
}

/** The list that was read may be an older one, with sessions that the person has ended since. */
function endSessions(database: Database.Database): void {
  database.prepare('DELETE FROM settings WHERE name = ?').run(KEPT_SESSIONS);
}

function stopEverything(database: Database.Database, atMs: number): void {
  database
    .prepare(
      `INSERT INTO settings (name, value) VALUES ('pausedAtMs', :at)
       ON CONFLICT DO UPDATE SET value = excluded.value WHERE value = 'null'`,
    )
    .run({ at: JSON.stringify(atMs) });
}

/** The counts that were read contain the journal that was read; without this it would be counted twice, or not at all. */
function countFromHere(database: Database.Database): void {
  database.exec(`INSERT OR REPLACE INTO settings (name, value)
    SELECT 'guardianCountedSeq', (SELECT coalesce(max(seq), 0) FROM journal)
    WHERE EXISTS (SELECT 1 FROM guardian_counts)`);
}

function noteRenewal(database: Database.Database, renewal: Renewal): void {
  database.prepare('INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)').run(RENEWAL, JSON.stringify(renewal));
}

const SUFFIXES = ['', '-wal', '-shm'];

function moveAside(path: string, atMs: number): string | undefined {
  if (!existsSync(path)) return undefined;
  const aside = `${path}.unreadable-${atMs}`;
  for (const suffix of SUFFIXES) if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
  return aside;
}

function putInPlace(fresh: string, { database, damaged }: DataDirectory): void {
  syncPath(fresh);
  renameSync(fresh, database);
  syncPath(dirname(database));
  rmSync(damaged, { force: true });
}

function remove(path: string): void {
  for (const suffix of [...SUFFIXES, '-journal']) rmSync(path + suffix, { force: true });
}
