import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { tablesOf } from './salvage.ts';

/** `PRAGMA user_version` after the first step. Databases from before the first release have lower numbers. */
const FIRST_VERSION = 100;

/** The database was written by a newer build. */
export class NewerDatabase extends Error {
  override name = 'NewerDatabase';
}

/** The database was written before the first release, in a form that no step leads from. */
export class OlderDatabase extends Error {
  override name = 'OlderDatabase';
}

export function versionOf(database: Database.Database): number {
  return Number(database.pragma('user_version', { simple: true }));
}

export function versionAfter(steps: number): number {
  return FIRST_VERSION + steps - 1;
}

/** How many of these steps a database has taken; 0 for a new one. Only reads. Throws OlderDatabase or NewerDatabase. */
export function stepsTaken(database: Database.Database, migrations: readonly string[]): number {
  const version = versionOf(database);
  const newest = versionAfter(migrations.length);
  if (version > newest) {
    throw new NewerDatabase(
      `${database.name} was written by a newer Handrail (schema ${version}; this one knows ${newest}). Start that one.`,
    );
  }
  if (tablesOf(database).length === 0) return 0;
  refuseOlder(database);
  return version - FIRST_VERSION + 1;
}

/** Throws OlderDatabase where the database is from before the first release. */
export function refuseOlder(database: Database.Database): void {
  const version = versionOf(database);
  if (version < FIRST_VERSION) throw new OlderDatabase(older(database.name, version));
}

function older(path: string, version: number, detail = `this one reads ${FIRST_VERSION} and later`): string {
  return [
    `${path} was written by a Handrail from before the first release (schema ${version}; ${detail}).`,
    `Nothing in it was changed. Move the folder ${dirname(path)} away, or set HANDRAIL_DATA_DIR to another folder, and start again: Handrail begins with no rules and an empty journal.`,
    'With HANDRAIL_DATA_DIR set to the old folder, `handrail audit --export FILE` (`npm run audit -- --export FILE`) still writes its contents and its journal to a file.',
  ].join(' ');
}

/**
 * Turns the failure to prepare our statements into OlderDatabase: a database with the number of our schema lacks one of its tables or columns.
 * Builds from before the first release changed the schema under one number. Other errors stay as they are.
 */
export function asOlderForm(error: unknown, path: string): unknown {
  const isForm =
    error instanceof Database.SqliteError && /no such (?:table|column)|has no column named/u.test(error.message);
  return isForm ? new OlderDatabase(older(path, FIRST_VERSION, error.message), { cause: error }) : error;
}

/** Takes the steps that a database has not taken yet, all of them or none. */
export function applyMigrations(database: Database.Database, migrations: readonly string[]): void {
  database.transaction(() => {
    for (const step of migrations.slice(stepsTaken(database, migrations))) database.exec(step);
    database.pragma(`user_version = ${versionAfter(migrations.length)}`);
  })();
}
