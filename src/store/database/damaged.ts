import { closeSync, constants, copyFileSync, existsSync, openSync, writeSync } from 'node:fs';
import Database from 'better-sqlite3';
import { versionAfter, versionOf } from './migrate.ts';
import { MIGRATIONS } from './migrations.ts';
import { tablesOf } from './salvage.ts';

const NEWEST = versionAfter(MIGRATIONS.length);

/**
 * Opens a damaged database to read its remaining rows. Undefined if SQLite cannot open it even with a mended header. `mended`: the path
 * for a copy with a good header. The caller removes that copy.
 */
export function openDamaged(path: string, mended: string): Database.Database | undefined {
  return tryToOpen(path) ?? tryToOpen(mendedCopy(path, mended));
}

function tryToOpen(path: string | undefined): Database.Database | undefined {
  if (path === undefined || !existsSync(path)) return undefined;
  let database: Database.Database | undefined;
  try {
    database = new Database(path, { readonly: true, fileMustExist: true });
    const version = versionOf(database);
    if (tablesOf(database).length > 0 && version > 0 && version <= NEWEST) return database;
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
  }
  database?.close();
  return undefined;
}

const HEADER_BYTES = 100;
/** Where a header says for which change its number of pages is right. */
const VALID_FOR_AT = 92;

/**
 * A copy with a good header, as SQLite describes it: https://www.sqlite.org/fileformat.html#the_database_header. All our databases have
 * the same, apart from the number of pages, which SQLite takes from the size of the file where a header says it is out of date.
 */
function mendedCopy(path: string, copy: string): string | undefined {
  if (!existsSync(path)) return undefined;
  try {
    for (const suffix of ['', '-wal'])
      if (existsSync(path + suffix)) copyFileSync(path + suffix, copy + suffix, constants.COPYFILE_FICLONE);
    const file = openSync(copy, 'r+');
    try {
      writeSync(file, goodHeader(), 0, HEADER_BYTES, 0);
    } finally {
      closeSync(file);
    }
    return copy;
  } catch {
    // Without room for a copy the rows are not read; the file that was moved aside still has them.
    return undefined;
  }
}

function goodHeader(): Buffer {
  const sample = new Database(':memory:');
  try {
    sample.exec('CREATE TABLE sample (id INTEGER)');
    sample.pragma(`user_version = ${NEWEST}`);
    const header = sample.serialize().subarray(0, HEADER_BYTES);
    // WAL, as all our databases have it.
    header.set([2, 2], 18);
    header.writeUInt32BE(header.readUInt32BE(VALID_FOR_AT) + 1, VALID_FOR_AT);
    return header;
  } finally {
    sample.close();
  }
}
