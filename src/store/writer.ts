import { statSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { asStorageFailure, createTransactions, isDamage, StorageUnavailable } from './database/database.ts';
import type { ProtectionsFile } from './database/protections.ts';
import type { Recording } from './guardian/recording.ts';
import type { Journal } from './journal/journal.ts';
import type { createUserTable } from './records/users.ts';

/** `durable` survives a power cut the moment `write` returns; `relaxed` survives the end of the process. */
export type Durability = 'durable' | 'relaxed';

/**
 * `failing`: it takes no changes now. `corrupt`: a part of it cannot be read. `moved`: its files are not where they were, and nothing
 * is written until the next start.
 */
type StoreCondition = 'ok' | 'failing' | 'corrupt' | 'moved';

type Place = ReturnType<typeof createPlace>;

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

type Parts = {
  database: Database;
  journal: Journal;
  users: ReturnType<typeof createUserTable>;
  recording: Recording;
  protections: ProtectionsFile;
  place: Place;
  hasRoom(): boolean;
  /** Called once, when the database turns out to be damaged. */
  damaged(): void;
};

export function createWriter(parts: Parts) {
  const { database, journal, users, recording, protections, place, hasRoom } = parts;
  const transact = createTransactions(database);
  const version = Number(database.pragma('user_version', { simple: true }));
  const setDurability = createDurability(database);
  let failed = false;
  let isCorrupt = false;

  function rolledBack(before: { head: ReturnType<Journal['head']>; up: ReturnType<Recording['upNow']> }): void {
    journal.rollBackTo(before.head);
    recording.rollBackTo({ seq: before.head.seq, up: before.up });
    users.forgetCache();
    protections.rolledBack();
  }

  /** Whether every attempt to write since the last call worked. After a failure it is tried. */
  function isWritable(): boolean {
    if (place.isLeft()) return false;
    if (!failed) return true;
    try {
      transact(() => database.pragma(`user_version = ${version}`));
      failed = !hasRoom();
    } catch {
      return false;
    }
    return !failed;
  }

  function noteFailure(error: unknown): void {
    if (isCorrupt || (error !== 'damage' && !isDamage(error))) return;
    isCorrupt = true;
    parts.damaged();
  }

  return {
    /**
     * Runs one synchronous unit of work as one transaction: all of it is stored, with its journal events, or none.
     * Throws StorageUnavailable when the storage would not take it.
     */
    write<Result>(durability: Durability, work: () => Result): Result {
      const before = { head: journal.head(), up: recording.upNow() };
      try {
        if (place.isLeft()) throw new StorageUnavailable(MOVED); // guard S6-1
        setDurability(durability);
        const result = transact(() => {
          const done = work();
          recording.flush();
          orUnavailable(protections.beforeCommit);
          return done;
        });
        protections.committed();
        if (journal.head().seq !== before.head.seq) journal.announce();
        return result;
      } catch (error) {
        rolledBack(before);
        const failure = asStorageFailure(error);
        failed ||= failure instanceof StorageUnavailable;
        noteFailure(error);
        throw failure;
      }
    },
    isWritable,
    /** Whether the files of the database are not where they were. Looks. */
    isMoved: place.isLeft,
    /** Whether a look found that, at any change or before. */
    wasMoved: place.wasLeft,
    isCorrupt: (): boolean => isCorrupt,
    /** To be told of every failure at a read, and of damage that a check found. */
    noteFailure,
    noteHealed(): void {
      isCorrupt = false;
    },
    condition(): StoreCondition {
      const writable = isWritable();
      if (place.isLeft()) return 'moved';
      if (isCorrupt) return 'corrupt';
      return writable ? 'ok' : 'failing';
    },
  };
}

function orUnavailable(work: () => void): void {
  try {
    work();
  } catch (cause) {
    throw new StorageUnavailable('the second copy of the rules, keys and pauses could not be written', { cause });
  }
}

const MOVED =
  'the database was removed, replaced or moved while Handrail runs, so nothing would be kept. Put it back and start Handrail again.';

function createDurability(database: Database): (durability: Durability) => void {
  let synchronous: Durability = 'relaxed';
  return (durability) => {
    if (durability === synchronous) return;
    database.pragma(`synchronous = ${durability === 'durable' ? 'FULL' : 'NORMAL'}`); // guard E-11
    synchronous = durability;
  };
}
