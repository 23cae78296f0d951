import Database from 'better-sqlite3';

/**
 * Copies the readable rows of every table into a new database with the same schema. Answers the names of the tables that lost rows. In a
 * table with a torn page it copies the rows before and after that page. Uses no indexes, triggers or references of the damaged database.
 * Call it inside a transaction.
 */
export function salvage(into: Database.Database, from: Database.Database | undefined): Set<string> {
  const tables = tablesOf(into);
  if (from === undefined) return new Set(tables);
  const triggers = into
    .prepare<unknown[], { name: string; sql: string }>(`SELECT name, sql FROM sqlite_master WHERE type = 'trigger'`)
    .all();
  for (const { name } of triggers) into.exec(`DROP TRIGGER "${name}"`);
  const damaged = tables.filter((table) => !copyTable(into, from, table));
  for (const { sql } of triggers) into.exec(sql);
  return new Set(damaged);
}

/** The names of the tables of a database, SQLite's own left out. */
export function tablesOf(database: Database.Database): string[] {
  return database
    .prepare<unknown[], string>(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
    .pluck()
    .all();
}

type Reading = { table: string; columns: readonly string[] };

/**
 * Hands over every row of a table that can be read, as an array of the columns, and answers whether that was all of them. Behind a torn
 * page it goes on from the other end.
 */
export function readRows(database: Database.Database, reading: Reading, take: (row: unknown[]) => void): boolean {
  if (readFrom(database, { ...reading, order: 'ASC' }, take)) return true;
  readFrom(database, { ...reading, order: 'DESC' }, take);
  return false;
}

function readFrom(
  database: Database.Database,
  reading: Reading & { order: 'ASC' | 'DESC' },
  take: (row: unknown[]) => void,
): boolean {
  const next = nextReadable(() => rowsOf(database, reading));
  for (let row = next(); row !== 'over'; row = next()) {
    if (row === 'unreadable') return false;
    take(row);
  }
  return true;
}

function rowsOf(
  database: Database.Database,
  { table, columns, order }: Reading & { order: 'ASC' | 'DESC' },
): IterableIterator<unknown[]> {
  const { key, hasRowid } = keyOf(database, table);
  const sql = `SELECT ${columns.join(', ')} FROM "${table}" ${hasRowid ? 'NOT INDEXED' : ''} ORDER BY ${key.map((column) => `${column} ${order}`).join(', ')}`;
  return database.prepare<unknown[], unknown[]>(sql).safeIntegers().raw().iterate();
}

type Column = { name: string; pk: number };

export function columnsOf(database: Database.Database, table: string): Column[] {
  return database.prepare<unknown[], Column>('SELECT name, pk FROM pragma_table_info(?)').all(table);
}

/** Answers whether every row was copied. */
function copyTable(into: Database.Database, from: Database.Database, table: string): boolean {
  const names = columnsOf(into, table).map(({ name }) => `"${name}"`);
  // The numbers of rows stay, since other rows may name them.
  const columns = keyOf(into, table).hasRowid ? ['rowid', ...names] : names;
  const places = columns.map(() => '?').join(', ');
  const insert = into.prepare(`INSERT OR REPLACE INTO "${table}" (${columns.join(', ')}) VALUES (${places})`);
  let isValid = true;
  const isWhole = readRows(from, { table, columns }, (row) => {
    if (!tryToInsert(insert, row)) isValid = false;
  });
  return isWhole && isValid;
}

function nextReadable(read: () => Iterator<unknown[]>): () => unknown[] | 'over' | 'unreadable' {
  let rows: Iterator<unknown[]> | undefined;
  return () => {
    try {
      rows ??= read();
      const { done, value } = rows.next();
      return done === true ? 'over' : value;
    } catch (error) {
      if (isUnreadable(error)) return 'unreadable';
      throw error;
    }
  };
}

/** A row that breaks a rule of its table was not written by us. */
function tryToInsert(insert: Database.Statement, row: unknown[]): boolean {
  try {
    insert.run(...row);
    return true;
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_CONSTRAINT')) return false;
    throw error;
  }
}

/** A damaged schema may lack a table or a column, and a damaged disk may refuse to be read. */
function isUnreadable(error: unknown): boolean {
  return error instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB|ERROR|IOERR)/.test(error.code);
}

function keyOf(database: Database.Database, table: string): { key: string[]; hasRowid: boolean } {
  const isWithoutRowid = database.prepare('SELECT wr FROM pragma_table_list(?)').pluck().get(table) === 1;
  if (!isWithoutRowid) return { key: ['rowid'], hasRowid: true };
  const key = columnsOf(database, table).filter(({ pk }) => pk > 0);
  return { key: key.toSorted((a, b) => a.pk - b.pk).map(({ name }) => `"${name}"`), hasRowid: false };
}
