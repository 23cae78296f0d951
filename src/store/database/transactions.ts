import type { Database } from 'better-sqlite3';

/**
 * Makes a function that runs work as one write transaction: all of it is stored or, where it throws, none. There is no transaction
 * inside another. The wrapper of better-sqlite3 allows that, and asks for it twice at each transaction; an action has two of them.
 */
export function createTransactions(database: Database): <Result>(work: () => Result) => Result {
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  const rollBack = database.prepare('ROLLBACK');
  return (work) => {
    begin.run();
    try {
      const result = work();
      commit.run();
      return result;
    } catch (error) {
      // SQLite has rolled it back already where, for example, the disk is full.
      if (database.inTransaction) rollBack.run();
      throw error;
    }
  };
}
