import { statSync } from 'node:fs';

export type Place = ReturnType<typeof createPlace>;

/**
 * Watches whether the files of an open database are still those that its path names. SQLite goes on writing to files that were removed,
 * replaced or moved, and nothing of that is kept. Once they were not, that holds until the next start: another daemon may have used them.
 */
export function createPlace(database: string) {
  const files = [database, `${database}-wal`].map((path) => ({ path, identity: identityOf(path) }));
  let wasLeft = false;
  return {
    /** Looks, which takes two calls of the system. */
    isLeft(): boolean {
      for (const { path, identity } of files) wasLeft ||= identityOf(path) !== identity;
      return wasLeft;
    },
    /** Whether an earlier look found it. */
    wasLeft: (): boolean => wasLeft,
  };
}

/** Device and inode; nothing where there is no such file, or it cannot be looked at. */
function identityOf(path: string): string | undefined {
  try {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stats && `${stats.dev}:${stats.ino}`;
  } catch {
    return undefined;
  }
}
