import { rmSync, writeFileSync } from 'node:fs';

/** The largest call, a task, with its steps and its journal. */
const LARGEST_CHANGE_BYTES = 2 * 1024 * 1024;

/**
 * Whether the disk has room for the largest change. SQLite takes a small one also where a larger one is refused, in the last pages
 * of its files.
 */
export function hasRoom(probe: string): boolean {
  try {
    // A daemon that was killed may have left one.
    rmSync(probe, { force: true });
    writeFileSync(probe, Buffer.alloc(LARGEST_CHANGE_BYTES, 1), { flag: 'wx', mode: 0o600 });
    return true;
  } catch {
    return false;
  } finally {
    remove(probe);
  }
}

function remove(probe: string): void {
  try {
    rmSync(probe, { force: true });
  } catch {
    // Where the folder cannot be written to, nothing was left there.
  }
}
