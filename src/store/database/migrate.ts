import { dirname } from 'node:path';
import type Database from 'better-sqlite3';
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
  if (version < FIRST_VERSION) throw new OlderDatabase(older(database.name, version));
  return version - FIRST_VERSION + 1;
}

function older(path: string, version: number): string {
  return [
    `${path} was written by a Handrail from before the first release (schema ${version}; this one reads ${FIRST_VERSION} and later).`,
    `Nothing in it was changed. Move the folder ${dirname(path)} away, or set HANDRAIL_DATA_DIR to another folder, and start again: Handrail begins with no rules and an empty journal.`,
    'With HANDRAIL_DATA_DIR set to the old folder, `handrail audit --export FILE` (`npm run audit -- --export FILE`) still writes its contents and its journal to a file.',
  ].join(' ');
}

/** Takes the steps that a database has not taken yet, all of them or none. */
export function applyMigrations(database: Database.Database, migrations: readonly string[]): void {
  database.transaction(() => {
    for (const step of migrations.slice(stepsTaken(database, migrations))) database.exec(step);
    database.pragma(`user_version = ${versionAfter(migrations.length)}`);
  })();
}
