import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { openDamaged } from './database/damaged.ts';
import { columnsOf, readRows, tablesOf } from './database/salvage.ts';

export type Exported = {
  rows: number;
  /** The tables of which rows could not be read. */
  damaged: string[];
};

/**
 * Writes everything that can be read of a database to a new file, a JSON object in each line: `{"table": …, "row": {…}}`. Bytes are
 * written in hexadecimal. Only reads the database; a daemon may be running. The file is private, since contents are in it. Answers
 * nothing where no part of the database can be read. Throws where the file exists or cannot be written.
 */
export function exportReadable(databasePath: string, to: string): Exported | undefined {
  const mended = `${to}.mended`;
  const database = openDamaged(databasePath, mended);
  try {
    if (database === undefined) return undefined;
    const file = openSync(to, 'wx', 0o600);
    try {
      return writeTables(database, (line) => void writeSync(file, line));
    } finally {
      closeSync(file);
    }
  } finally {
    database?.close();
    for (const suffix of ['', '-wal', '-shm']) rmSync(mended + suffix, { force: true });
  }
}

type Database = NonNullable<ReturnType<typeof openDamaged>>;

function writeTables(database: Database, write: (line: string) => void): Exported {
  const damaged: string[] = [];
  let rows = 0;
  for (const table of tablesOf(database)) {
    const names = columnsOf(database, table).map(({ name }) => name);
    const columns = names.map((name) => `"${name}"`);
    const isWhole = readRows(database, { table, columns }, (values) => {
      const row = Object.fromEntries(names.map((name, index) => [name, jsonValue(values[index])]));
      write(`${JSON.stringify({ table, row })}\n`);
      rows += 1;
    });
    if (!isWhole) damaged.push(table);
  }
  return { rows, damaged };
}

function jsonValue(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  return Buffer.isBuffer(value) ? value.toString('hex') : value;
}
