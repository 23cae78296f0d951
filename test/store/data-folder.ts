import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataDirectoryAt } from '../../src/store/database/data-directory.ts';
import { createStore } from '../../src/store/store.ts';

/** A file system in memory. A container often has one of 64 MB, which two tests with a full WAL each would fill. */
const MEMORY = '/dev/shm';
const ROOM_BYTES = 512 * 1024 * 1024;

let migrated: Buffer | undefined;

/**
 * A new folder with an empty database at the latest schema, and nothing else. The migrations take three quarters of the processor
 * time that a store needs to open in an empty folder, so each worker runs them once and copies the file from then on. The folder is
 * in memory where there is room: most of these tests write more often than a disk likes.
 */
export function newDataFolder(prefix: string): string {
  migrated ??= migratedDatabase();
  const folder = mkdtempSync(join(parentFolder(), prefix));
  writeFileSync(dataDirectoryAt(folder).database, migrated, { mode: 0o600 });
  return folder;
}

function migratedDatabase(): Buffer {
  const folder = mkdtempSync(join(parentFolder(), 'handrail-migrated-'));
  createStore({ path: folder, now: Date.now }).close();
  const bytes = readFileSync(dataDirectoryAt(folder).database);
  rmSync(folder, { recursive: true });
  return bytes;
}

function parentFolder(): string {
  if (!existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= ROOM_BYTES ? MEMORY : tmpdir();
}
