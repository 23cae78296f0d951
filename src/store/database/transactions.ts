import type { Database } from 'better-sqlite3';

/** How long a transaction waits for another program that has the database locked. Meanwhile nothing else is served. */
const LOCK_WAIT_MS = 100;

/**
 * Makes a function that runs work as one write transaction: all of it is stored or, where it throws, none. While another program has the database
 * locked, the first transaction waits a moment, and those after it fail at once. Work inside of other work
 * is all stored or none, too, with the outer work. The wrapper of better-sqlite3 does the same, but asks the database twice whether
 * it is in a transaction, and an action has two of them.
 */
export function createTransactions(database: Database): <Result>(work: () => Result) => Result {
  const begin = createBegin(database);
  const commit = database.prepare('COMMIT');
  const rollBack = database.prepare('ROLLBACK');
  const inSavepoint = database.transaction((work: () => unknown) => work());
  let isInside = false;
  return <Result>(work: () => Result): Result => {
    if (isInside) return inSavepoint(work) as Result;
    begin();
    isInside = true;
    try {
      const result = work();
      commit.run();
      return result;
    } catch (error) {
      // SQLite has rolled it back already where, for example, the disk is full.
      if (database.inTransaction) rollBack.run();
      throw error;
    } finally {
      isInside = false;
    }
  };
}

function createBegin(database: Database): () => void {
  const begin = database.prepare('BEGIN IMMEDIATE');
  let waitMs: number | undefined;
  const wait = (ms: number) => {
    if (ms !== waitMs) database.pragma(`busy_timeout = ${ms}`);
    waitMs = ms;
  };
  return () => {
    if (waitMs === undefined) wait(LOCK_WAIT_MS);
    try {
      begin.run();
    } catch (error) {
      wait(0);
      throw error;
    }
    wait(LOCK_WAIT_MS);
  };
}
