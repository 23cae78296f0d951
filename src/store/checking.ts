import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Database } from 'better-sqlite3';
import { assetPath } from '../launch/assets.ts';
import type { DatabaseCheck } from './database/check.ts';

type Parts = {
  /** Of the database. */
  path: string;
  /** To be told that the database is damaged, and that it is whole again. */
  noteFailure(error: 'damage'): void;
  noteHealed(): void;
};

/**
 * Checks the database in a thread of its own. If only indexes do not fit their tables, it rebuilds them. Other damage needs a new
 * database, which the next start builds. Resolves with the findings, and with whether the database is whole now.
 */
export function createChecking(database: Database, { path, noteFailure, noteHealed }: Parts) {
  return async (): Promise<DatabaseCheck & { isWhole: boolean }> => {
    const found = await checkInWorker(path);
    const isWhole = found.findings.length === 0 || (await isHealed(database, path, found.indexes));
    if (!isWhole) noteFailure('damage');
    else if (found.findings.length > 0) noteHealed();
    return { ...found, isWhole };
  };
}

async function isHealed(database: Database, path: string, indexes: readonly string[]): Promise<boolean> {
  if (indexes.length === 0) return false;
  try {
    for (const index of indexes) database.exec(`REINDEX "${index}"`);
  } catch {
    // The check after it says what is still damaged.
  }
  return (await checkInWorker(path)).findings.length === 0;
}

async function checkInWorker(path: string): Promise<DatabaseCheck> {
  const worker = new Worker(assetPath('database-check-worker'), { workerData: path });
  worker.unref();
  const [result] = await once(worker, 'message');
  return result as DatabaseCheck;
}
