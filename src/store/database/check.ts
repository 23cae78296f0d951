import Database from 'better-sqlite3';
import { isDamage } from './database.ts';
import { tablesOf } from './salvage.ts';

export type DatabaseCheck = {
  /** The damage in the words of SQLite, with a limit of lines for each table. Empty if nothing is damaged. */
  findings: string[];
  /** The damaged indexes, if only indexes are damaged and their pages can be read. */
  indexes: string[];
};

/** Lines for each table. */
const MOST_FINDINGS = 10;

/**
 * Has SQLite check every table with its indexes (`PRAGMA quick_check`). Only reads. A table at a time, since a read that lasts keeps the
 * WAL from being folded into the database. `pause` is called between tables.
 */
export function checkDatabase(path: string, pause: () => void = () => undefined): DatabaseCheck {
  const findings: string[] = [];
  const database = new Database(path, { readonly: true, fileMustExist: true });
  try {
    for (const table of tablesOf(database)) {
      findings.push(...findingsOf(database, table));
      pause();
    }
  } catch (error) {
    if (!isDamage(error)) throw error;
    findings.push(String(error));
  } finally {
    database.close();
  }
  const indexes = findings.map((line) => OF_INDEX.exec(line)?.[1]);
  const isOnlyIndexes = indexes.every((name) => name !== undefined);
  return { findings, indexes: isOnlyIndexes ? [...new Set(indexes)] : [] };
}

const OF_INDEX = /^(?:wrong # of entries in index|row \d+ missing from index) (\S+)$/;

function findingsOf(database: Database.Database, table: string): string[] {
  try {
    const rows = database.pragma(`quick_check("${table}")`) as { quick_check: string }[];
    return rows
      .map(({ quick_check }) => quick_check)
      .filter((line) => line !== 'ok')
      .slice(0, MOST_FINDINGS);
  } catch (error) {
    if (isDamage(error)) return [`${table}: ${String(error)}`];
    throw error;
  }
}
