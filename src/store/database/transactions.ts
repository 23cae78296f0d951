import type { Database } from 'better-sqlite3';

/**
 * Makes a function that runs work as one write transaction: all of it is stored or, where it throws, none. Work inside of other work
 * is all stored or none, too, with the outer work. The wrapper of better-sqlite3 does the same, but asks the database twice whether
 * it is in a transaction, and an action has two of them.
 */
export function createTransactions(database: Database): <Result>(work: () => Result) => Result {
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  const rollBack = database.prepare('ROLLBACK');
  const inSavepoint = database.transaction((work: () => unknown) => work());
  let isInside = false;
  return <Result>(work: () => Result): Result => {
    if (isInside) return inSavepoint(work) as Result;
    begin.run();
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
