import {
  constants,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import type { DataDirectory } from './data-directory.ts';
import { applyMigrations, stepsTaken, versionAfter } from './migrate.ts';
import { MIGRATIONS } from './migrations.ts';
import { tablesOf } from './salvage.ts';

/** The file at our place is the database of another program. */
class ForeignDatabase extends Error {
  override name = 'ForeignDatabase';
}

/** A write did not take place: the disk is full, or the database is locked, read-only or damaged. */
export class StorageUnavailable extends Error {
  override name = 'StorageUnavailable';
}

type Opening = {
  path: string;
  /** The steps of the schema; others than ours only in tests. */
  migrations?: readonly string[] | undefined;
};

/**
 * Opens the database file, makes it ours if it is new, and brings it up to date. Throws NewerDatabase, OlderDatabase or
 * ForeignDatabase, which leave the file as it is, and an error of SQLite, see `isDamage`, where the file is damaged.
 */
export function openDatabase({ path, migrations = MIGRATIONS }: Opening): Database.Database {
  const database = new Database(path, { timeout: 2_000 });
  try {
    refuseForeign(database);
    const steps = stepsTaken(database, migrations);
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = NORMAL');
    database.pragma('foreign_keys = ON');
    database.pragma('fullfsync = ON');
    database.pragma('temp_store = MEMORY');
    // A checkpoint waits for the disk; 32 MiB of WAL between two of them keep that out of most actions' way.
    database.pragma('wal_autocheckpoint = 8000');
    if (steps < migrations.length) {
      if (steps > 0) keepCopy(database, path, versionAfter(steps + 1));
      applyMigrations(database, migrations);
    }
    readAll(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function refuseForeign(database: Database.Database): void {
  const names = tablesOf(database);
  if (names.length === 0 || names.includes('journal')) return;
  throw new ForeignDatabase(
    `${database.name} is a database of another program (its tables: ${names.slice(0, 5).join(', ')}). Move it away, or set HANDRAIL_DATA_DIR to another folder.`,
  );
}

/** Touches every table, so that one whose pages are torn is found now and not when something is to be done. */
function readAll(database: Database.Database): void {
  for (const name of tablesOf(database)) database.prepare(`SELECT * FROM "${name}" LIMIT 1`).get();
}

/**
 * Copies the database before a migration, and replaces the copy made before earlier steps. `version`: of the first step to be taken. File
 * systems that can share blocks use no extra room.
 */
function keepCopy(database: Database.Database, path: string, version: number): void {
  database.pragma('wal_checkpoint(TRUNCATE)');
  const kept = `${path}.before-schema-`;
  const copy = `${kept}${version}`;
  try {
    copyFileSync(path, copy, constants.COPYFILE_FICLONE);
  } catch (cause) {
    if (existsSync(copy) && statSync(copy).isFile()) rmSync(copy);
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new StorageUnavailable(
      `this version keeps a copy of the database before it changes its form, and could not make it (${why}). Nothing was changed. Make room for ${megabytes(path)} MB beside it and start again.`,
      { cause },
    );
  }
  const folder = dirname(path);
  for (const name of readdirSync(folder).map((each) => join(folder, each)))
    if (name.startsWith(kept) && name !== copy) rmSync(name);
}

function megabytes(path: string): number {
  return Math.ceil(statSync(path).size / 1e6);
}

/** Whether an error means that the database is damaged. Rows read from it cannot be trusted then. */
export function isDamage(error: unknown): boolean {
  if (error instanceof StorageUnavailable) return isDamage(error.cause);
  return (
    error instanceof Database.SqliteError && (error.code === 'SQLITE_NOTADB' || error.code.startsWith('SQLITE_CORRUPT'))
  );
}

/** Whether an error means that the storage did not take a change, or could not be read. */
export function isStorageError(error: unknown): boolean {
  return error instanceof StorageUnavailable || asStorageFailure(error) !== error;
}

/** Turns a failed write into a storage failure, unless the cause is a mistake in our code. */
export function asStorageFailure(error: unknown): unknown {
  const code = error instanceof Database.SqliteError ? error.code : '';
  const cause = Object.keys(REMEDIES).find((known) => code.startsWith(known));
  if (cause === undefined) return error;
  return new StorageUnavailable(`the database did not take the change (${code}). ${REMEDIES[cause]}`, { cause: error });
}

const LOOK = 'See whether the disk is healthy and the data directory may be written to.';
const UNLOCK = 'Another program has it locked: end that one.';

/** The advice to the person for each kind of storage failure. */
const REMEDIES: Record<string, string> = {
  SQLITE_FULL: 'Make room on the disk.',
  SQLITE_BUSY: UNLOCK,
  SQLITE_LOCKED: UNLOCK,
  SQLITE_IOERR: LOOK,
  SQLITE_READONLY: LOOK,
  SQLITE_CORRUPT: LOOK,
  SQLITE_NOMEM: 'Make room in memory.',
};

/** Another daemon writes to this data directory. */
class DataDirectoryInUse extends Error {
  override name = 'DataDirectoryInUse';
}

/** A lock that nothing refers to would be collected as garbage, and with that released. */
const HELD = new Set<Database.Database>();

/**
 * Makes this process the only writer of a data directory, until `release` or its end. The lock is SQLite's own exclusive
 * lock on a file of its own: the system drops it with the process, however that ends, so it is never stale.
 */
export function acquireWriterLock(directory: DataDirectory): { release(): void } {
  const lock = new Database(directory.lock, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    throw new DataDirectoryInUse(
      `${directory.path} is in use by ${holderOf(directory)}. Stop that one first, or set HANDRAIL_DATA_DIR to another folder.`,
      { cause },
    );
  }
  writeFileSync(directory.holder, `${process.pid}\n`, { mode: 0o600 });
  HELD.add(lock);
  return {
    release() {
      HELD.delete(lock);
      lock.close();
    },
  };
}

function holderOf(directory: DataDirectory): string {
  try {
    return `the daemon with process id ${readFileSync(directory.holder, 'utf8').trim()}`;
  } catch {
    return 'another daemon';
  }
}

/** How long a transaction waits for another program that has the database locked. Meanwhile nothing else is served. */
const LOCK_WAIT_MS = 100;

/**
 * Makes a function that runs synchronous work as one write transaction: all of it is stored or, where it throws, none. Work inside of
 * other work is all stored or none, too, with the outer work. While another program has the database locked, the first transaction
 * waits a moment, and those after it fail at once.
 */
export function createTransactions(database: Database.Database): <Result>(work: () => Result) => Result {
  const transaction = database.transaction((work: () => unknown) => work()).immediate;
  let waitMs: number | undefined;
  const wait = (ms: number) => {
    if (ms !== waitMs) database.pragma(`busy_timeout = ${ms}`);
    waitMs = ms;
  };
  return <Result>(work: () => Result): Result => {
    wait(waitMs ?? LOCK_WAIT_MS);
    try {
      const result = transaction(work) as Result;
      wait(LOCK_WAIT_MS);
      return result;
    } catch (error) {
      if (error instanceof Database.SqliteError && error.code === 'SQLITE_BUSY') wait(0);
      throw error;
    }
  };
}
