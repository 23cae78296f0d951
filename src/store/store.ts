import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Database } from 'better-sqlite3';
import { assetPath } from '../assets.ts';
import type { AuditResult } from '../contract/daemon-facts.ts';
import type { JournalEvent } from '../domain/journal/journal-event.ts';
import { type DataDirectory, prepareDataDirectory } from './database/data-directory.ts';
import { asStorageFailure, openDatabase } from './database/database.ts';
import { createRawRetention, type RawLimits } from './database/raw-retention.ts';
import { hasRoom } from './database/room.ts';
import { createTransactions } from './database/transactions.ts';
import { acquireWriterLock } from './database/writer-lock.ts';
import { createActionGroups } from './guardian/action-groups.ts';
import { createInsightEvidence } from './guardian/insight-evidence.ts';
import { createInsightTable } from './guardian/insights.ts';
import { createPromptGroups } from './guardian/prompt-groups.ts';
import { createRecording, type Recording } from './guardian/recording.ts';
import { createTaskGroups } from './guardian/task-groups.ts';
import { createTrendThread } from './guardian/trend-thread.ts';
import { createTrendTable } from './guardian/trends.ts';
import { readAnchor, writeAnchor } from './journal/anchor.ts';
import { anchorFault, BROKEN } from './journal/audit.ts';
import { createJournal, type Head } from './journal/journal.ts';
import { readOrCreateKey } from './journal/key.ts';
import { pruneJournal } from './journal/pruning.ts';
import { createActionTable } from './records/actions.ts';
import { createActivityTable } from './records/activity.ts';
import { createAllowedFolderTable } from './records/allowed-folders.ts';
import { createArtifactFiles, createArtifactTable } from './records/artifacts.ts';
import { createCallingProgramTable } from './records/calling-programs.ts';
import { createConfirmationTable } from './records/confirmations.ts';
import { createDeviceTable } from './records/devices.ts';
import { createFormerVersions } from './records/former-versions.ts';
import { createGrantTable } from './records/grants.ts';
import { createKeyTable } from './records/idempotency-keys.ts';
import { createKeptContents } from './records/kept-contents.ts';
import { createProfileTable } from './records/profiles.ts';
import { createSettingsTable } from './records/settings.ts';
import { createTaskTable } from './records/tasks.ts';
import { createUndoTable } from './records/undos.ts';
import { createUserTable } from './records/users.ts';

export type Store = ReturnType<typeof createStore>;

/** `durable` survives a power cut the moment `write` returns; `relaxed` survives the end of the process. */
export type Durability = 'durable' | 'relaxed';

type StoreOptions = {
  path: string;
  now(): number;
  /** The steps of the schema; others than ours only in tests. */
  migrations?: readonly string[];
  /** See `openDatabase`. */
  compileAtOnce?: boolean;
};

/**
 * Opens the data directory as its only writer. Throws UnsafeDataDirectory, DataDirectoryInUse or NewerDatabase; a database
 * that cannot be read is moved aside and named in `movedAside`.
 */
export function createStore(options: StoreOptions) {
  const directory = prepareDataDirectory(options.path);
  const lock = acquireWriterLock(directory);
  try {
    return openStore(directory, lock, options);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** The rules and approvals of the person that outlive one action. */
function createRuleTables(database: Database) {
  return {
    grants: createGrantTable(database),
    profiles: createProfileTable(database),
    allowedFolders: createAllowedFolderTable(database),
  };
}

/** The files beside the database. */
function createFolders({ artifacts, formerVersions }: DataDirectory) {
  return { artifactFiles: createArtifactFiles(artifacts), formerVersions: createFormerVersions(formerVersions) };
}

function openStore(
  directory: DataDirectory,
  lock: { release(): void },
  { now, migrations, compileAtOnce }: StoreOptions,
) {
  const { database, movedAside } = openDatabase({ path: directory.database, now, migrations, compileAtOnce });
  const recording = createRecording(database);
  const journal = createJournal(database, recording.note);
  const users = createUserTable(database);
  const write = createWriter({ database, journal, users, recording, hasRoom: () => hasRoom(directory.roomProbe) });
  const raw = createRawRetention(database);
  if (recording.isEmpty() && journal.head().seq > 0) write.write('durable', recording.rebuild);
  const trendThread = createTrendThread(directory.database, recording.settle);
  const found = readAnchor(directory.anchor);
  const fault = anchorFault(database, found, 0);
  const anchor = createAnchoring(directory.anchor, journal);
  // The next anchor would cover it up, so it is written into the journal itself.
  if (fault !== undefined) write.write('durable', () => journal.append(now(), brokenBy(fault)));
  // The anchor exists before the first row does: a crash right after that row must not look like a removed anchor.
  else if (found === undefined) anchor();

  return {
    path: directory.path,
    movedAside,
    devices: createDeviceTable(database),
    actions: createActionTable(database),
    confirmations: createConfirmationTable(database),
    callingPrograms: createCallingProgramTable(database),
    activity: createActivityTable(database),
    artifacts: createArtifactTable(database),
    undos: createUndoTable(database),
    ...createFolders(directory),
    idempotencyKeys: createKeyTable(database, 'action'),
    kept: createKeptContents(database),
    users,
    ...createRuleTables(database),
    settings: createSettingsTable(database),
    tasks: createTaskTable(database),
    taskKeys: createKeyTable(database, 'task'),
    evidence: createInsightEvidence(database),
    insights: createInsightTable(database),
    journal,
    recording,
    ...createGroups(database),
    trends: createTrendTable(database),
    /** Reads hundreds of windows, in a thread of its own. */
    assessTrends: trendThread.assess,
    ...write,
    /** Lets the database grow no larger than so many pages of 4 KiB: the way to meet a full disk on purpose. */
    limitPages(pages: number): void {
      database.pragma(`max_page_count = ${pages}`);
    },
    /** Whether the journal is as it was written; walks all of it, in a thread of its own, at leisure when nobody waits for it. */
    audit: ({ atLeisure = false } = {}): Promise<AuditResult> => auditInWorker({ directory, atLeisure }),
    /** Anchors the end of the journal outside of the database, if it has moved. */
    anchor,
    /** Removes the journal's rows from before a time, some thousand at a call; answers how many. */
    pruneJournal: (beforeMs: number): number =>
      write.write('durable', () =>
        pruneJournal(database, { beforeMs, nowMs: now(), key: readOrCreateKey(directory.key) }),
      ),
    /** Since when what happened is kept under these limits. */
    rawKeptFromMs: raw.keptFromMs,
    /** Removes some of the actions, then of the tasks, that are beyond the limits; answers how many. */
    pruneRaw(limits: RawLimits): number {
      // Switching foreign keys off makes SQLite prepare every statement again, so this happens only when rows are to be removed.
      if (!raw.isSurplus(limits)) return 0;
      database.pragma('foreign_keys = OFF');
      try {
        return write.write('relaxed', () => raw.prune(limits));
      } finally {
        database.pragma('foreign_keys = ON');
      }
    },
    close(): void {
      anchor();
      if (database.open) recording.settle();
      trendThread.close();
      database.close();
      lock.release();
    },
  };
}

/** Counts by requester, type, device and outcome, for the breakdowns of metrics. */
function createGroups(database: Database) {
  return {
    actionGroups: createActionGroups(database),
    promptGroups: createPromptGroups(database),
    taskGroups: createTaskGroups(database),
  };
}

function createAnchoring(path: string, journal: { head(): Head }): () => void {
  let anchoredSeq = -1;
  return () => {
    const head = journal.head();
    if (head.seq === anchoredSeq) return;
    writeAnchor(path, head);
    anchoredSeq = head.seq;
  };
}

function brokenBy({ brokenAt, reason }: AuditResult): JournalEvent {
  return { kind: BROKEN, metadata: { anchoredSeq: brokenAt ?? 0, reason: reason ?? '' } };
}

async function auditInWorker(workerData: { directory: DataDirectory; atLeisure: boolean }): Promise<AuditResult> {
  const worker = new Worker(assetPath('journal-audit-worker'), { workerData });
  worker.unref();
  const [result] = await once(worker, 'message');
  return result as AuditResult;
}

function createWriter(parts: {
  database: ReturnType<typeof openDatabase>['database'];
  journal: ReturnType<typeof createJournal>;
  users: ReturnType<typeof createUserTable>;
  recording: Recording;
  hasRoom(): boolean;
}) {
  const { database, journal, users, recording, hasRoom } = parts;
  const transact = createTransactions(database);
  const version = Number(database.pragma('user_version', { simple: true }));
  let synchronous: Durability = 'relaxed';
  let failed = false;

  function setDurability(durability: Durability): void {
    if (durability === synchronous) return;
    database.pragma(`synchronous = ${durability === 'durable' ? 'FULL' : 'NORMAL'}`);
    synchronous = durability;
  }

  return {
    /**
     * Runs one synchronous unit of work as one transaction: all of it is stored, with its journal events, or none.
     * Throws StorageUnavailable when the storage would not take it.
     */
    write<Result>(durability: Durability, work: () => Result): Result {
      const head = journal.head();
      const up = recording.upNow();
      try {
        setDurability(durability);
        const result = transact(() => {
          const done = work();
          recording.flush();
          return done;
        });
        if (journal.head().seq !== head.seq) journal.announce();
        return result;
      } catch (error) {
        journal.rollBackTo(head);
        recording.rollBackTo({ seq: head.seq, up });
        users.forgetCache();
        const failure = asStorageFailure(error);
        failed ||= failure !== error;
        throw failure;
      }
    },
    /** Whether every attempt to write since the last call worked. After a failure it is tried. */
    isWritable(): boolean {
      if (!failed) return true;
      try {
        transact(() => database.pragma(`user_version = ${version}`));
        failed = !hasRoom();
      } catch {
        return false;
      }
      return !failed;
    },
  };
}
