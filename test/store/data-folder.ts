import { existsSync, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system in memory. A container often has one of 64 MB, which two tests with a full WAL each would fill. */
const MEMORY = '/dev/shm';
const ROOM_BYTES = 512 * 1024 * 1024;

/** A new folder for a database, in memory where there is room: most of these tests write more often than a disk likes. */
export function newDataFolder(prefix: string): string {
  return mkdtempSync(join(parentFolder(), prefix));
}

function parentFolder(): string {
  if (!existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= ROOM_BYTES ? MEMORY : tmpdir();
}
