import Database from 'better-sqlite3';

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
