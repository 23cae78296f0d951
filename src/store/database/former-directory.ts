import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { dataDirectoryAt } from './data-directory.ts';
import { acquireWriterLock } from './writer-lock.ts';

/** The names of the daemon's own files. A menu-bar app keeps files of its own beside them, which stay. */
const OWN_FILES = /^(handrail\.db.*|journal\.(anchor|key)|protections\.json|artifacts|former-versions|agent\.pid)$/;

type Folders = { from: string; to: string };

/**
 * Moves the daemon's data from the folder that an earlier version used by default to its new one, and answers whether
 * it did. Nothing moves when the new folder exists. A move that was cut short is completed at the next start. Throws
 * DataDirectoryInUse while a daemon of the earlier version runs.
 */
export function adoptFormerDirectory(folders: Folders): boolean {
  if (!isDue(folders)) return false;
  const former = dataDirectoryAt(folders.from);
  const lock = acquireWriterLock(former);
  try {
    // Another new daemon may have moved everything before the lock was free.
    const due = isDue(folders);
    if (due) move(folders);
    for (const file of [former.lock, former.holder]) rmSync(file, { force: true });
    return due;
  } finally {
    lock.release();
    rmSync(`${former.lock}-journal`, { force: true });
  }
}

function isDue({ from, to }: Folders): boolean {
  return !existsSync(to) && (existsSync(dataDirectoryAt(from).database) || existsSync(unfinished(to)));
}

/** The new folder has its name only when everything is in it, so a move that is cut short is seen. */
function unfinished(to: string): string {
  return `${to}.moving`;
}

function move({ from, to }: Folders): void {
  mkdirSync(unfinished(to), { recursive: true, mode: 0o700 });
  for (const name of readdirSync(from).filter((file) => OWN_FILES.test(file))) {
    renameSync(join(from, name), join(unfinished(to), name));
  }
  renameSync(unfinished(to), to);
}
