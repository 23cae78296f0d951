import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';

const PAGE_BYTES = 4_096;

export const databaseIn = (path: string): string => join(path, 'handrail.db');

/** Works on the database of a closed store, and folds its WAL into it. */
export function edit<Result>(path: string, work: (database: Database.Database) => Result): Result {
  const database = new Database(databaseIn(path));
  try {
    const result = work(database);
    database.pragma('wal_checkpoint(TRUNCATE)');
    return result;
  } finally {
    database.close();
  }
}

/** Writes over a part of the database of a closed store. */
export function overwrite(path: string, { from, bytes }: { from: number; bytes: number }): void {
  for (const suffix of ['-wal', '-shm']) rmSync(`${databaseIn(path)}${suffix}`, { force: true });
  const file = openSync(databaseIn(path), 'r+');
  writeSync(file, Buffer.alloc(bytes, 0xff), 0, bytes, from);
  closeSync(file);
}

/** Tears a page in the middle, or at the end, of a table or index that has several. */
export function tearLeafOf(path: string, name: string, which: 'middle' | 'last' = 'middle'): void {
  const page = edit(path, (database) => {
    const leaves = database
      .prepare(`SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path`)
      .pluck()
      .all(name) as number[];
    return which === 'last' ? leaves.at(-1) : leaves[Math.floor(leaves.length / 2)];
  });
  if (page === undefined) throw new Error(`${name} has no leaf`);
  overwrite(path, { from: (page - 1) * PAGE_BYTES, bytes: PAGE_BYTES });
}
