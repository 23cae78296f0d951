import { readFileSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { DataDirectory } from './data-directory.ts';

/** Another daemon writes to this data directory. */
export class DataDirectoryInUse extends Error {
  override name = 'DataDirectoryInUse';
}

/** A lock that nothing refers to would be collected as garbage, and with that released. */
const HELD = new Set<Database.Database>();

/**
 * Makes this process the only writer of a data directory, until `release` or its end. The lock is SQLite's own exclusive
 * lock on a file of its own: the system drops it with the process, however that ends, so it is never stale.
 */
export function acquireWriterLock(directory: DataDirectory): { release(): void } {
  const lock = new Database(directory.lock, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    throw new DataDirectoryInUse(
      `${directory.path} is in use by ${holderOf(directory)}. Stop that one first, or set HANDRAIL_DATA_DIR to another folder.`,
      { cause },
    );
  }
  writeFileSync(directory.holder, `${process.pid}\n`, { mode: 0o600 });
  HELD.add(lock);
  return {
    release() {
      HELD.delete(lock);
      lock.close();
    },
  };
}

function holderOf(directory: DataDirectory): string {
  try {
    return `the daemon with process id ${readFileSync(directory.holder, 'utf8').trim()}`;
  } catch {
    return 'another daemon';
  }
}
