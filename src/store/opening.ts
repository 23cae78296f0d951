import { existsSync, statSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import type { DataDirectory } from './database/data-directory.ts';
import { isDamage, openDatabase } from './database/database.ts';
import { asOlderForm } from './database/migrate.ts';
import { MIGRATIONS } from './database/migrations.ts';
import { isProtecting, readProtectionsFile } from './database/protections.ts';
import { type Renewal, renewDatabase } from './database/renewal.ts';
import { readAnchor } from './journal/anchor.ts';

type Opening = {
  now(): number;
  migrations?: readonly string[] | undefined;
};

/** Opens the database and passes it to `use`. If it is damaged, rebuilds it first from the readable rows, also when `use` finds the damage. */
export function openReadable<Result>(
  directory: DataDirectory,
  { now, migrations = MIGRATIONS }: Opening,
  use: (database: Database, renewal: Renewal | undefined) => Result,
): Result {
  const open = (renewal?: Renewal): Result => {
    const database = openDatabase({ path: directory.database, migrations });
    try {
      return use(database, renewal);
    } catch (error) {
      database.close();
      throw asOlderForm(error, directory.database);
    }
  };
  if (existsSync(directory.damaged) || isLost(directory)) return open(renewDatabase({ directory, now, migrations }));
  try {
    return open();
  } catch (error) {
    if (!isDamage(error)) throw error;
    return open(renewDatabase({ directory, now, migrations }));
  }
}

/** Of every SQLite database. SQLite takes a shorter file for a new one. */
const HEADER_BYTES = 100;

/** Whether the database is empty, cut or missing, though there was one before. */
function isLost({ database, anchor, protections }: DataDirectory): boolean {
  if ((statSync(database, { throwIfNoEntry: false })?.size ?? 0) >= HEADER_BYTES) return false;
  if ((readAnchor(anchor)?.seq ?? 0) > 0) return true;
  if (!existsSync(protections)) return false;
  const kept = readProtectionsFile(protections);
  return kept === undefined || isProtecting(kept);
}
