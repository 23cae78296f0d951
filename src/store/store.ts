import { once } from 'node:events';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { Database } from 'better-sqlite3';
import type { AuditResult } from '../contract/settings.ts';
import type { JournalEvent } from '../domain/journal/journal-event.ts';
import { assetPath } from '../launch/assets.ts';
import type { DatabaseCheck } from './database/check.ts';
import { type DataDirectory, prepareDataDirectory } from './database/data-directory.ts';
import { acquireWriterLock, isDamage, openDatabase } from './database/database.ts';
import { asOlderForm } from './database/migrate.ts';
import { MIGRATIONS } from './database/migrations.ts';
import {
  compareProtections,
  createProtectionsFile,
  isProtecting,
  type ProtectionsFile,
  readProtectionsFile,
} from './database/protections.ts';
import { createRawRetention, type RawLimits } from './database/raw-retention.ts';
import { holdNewer, type Renewal, renewDatabase } from './database/renewal.ts';
import { hasRoom } from './database/room.ts';
import { createActionGroups } from './guardian/action-groups.ts';
import { createInsightEvidence, createInsightTable } from './guardian/insights.ts';
import { createRecording } from './guardian/recording.ts';
import { readAnchor, readKey, readOrCreateKey, writeAnchor } from './journal/anchor.ts';
import { BROKEN, endFault } from './journal/audit.ts';
import { createJournal, type Head } from './journal/journal.ts';
import { pruneJournal } from './journal/pruning.ts';
import { createActionTable } from './records/actions.ts';
import { createActivityTable, createJudgedActions } from './records/activity.ts';
import { createArtifactFiles, createArtifactTable, createKeptContents } from './records/artifacts.ts';
import { createConfirmationTable } from './records/confirmations.ts';
import { createDeviceTable, createMachineTable } from './records/devices.ts';
import { createKeyTable } from './records/idempotency-keys.ts';
import { createProcedureTable } from './records/procedures.ts';
import { createAllowedFolderTable, createGrantTable, createProfileTable } from './records/rules.ts';
import { createRunTable } from './records/runs.ts';
import { createSettingsTable } from './records/settings.ts';
import { createTaskTable } from './records/tasks.ts';
import { createFormerVersions, createUndoTable } from './records/undos.ts';
import { createCallingProgramTable, createUserTable } from './records/users.ts';
import { createPlace, createWriter } from './writer.ts';

export type Store = ReturnType<typeof createStore>;

type StoreOptions = {
  path: string;
  now(): number;
  /** The steps of the schema; others than ours only in tests. */
  migrations?: readonly string[];
};

type Opening = {
  now(): number;
  migrations?: readonly string[] | undefined;
};

/** Opens the database and passes it to `use`. If it is damaged, rebuilds it first from the readable rows, also when `use` finds the damage. */
function openReadable<Result>(
  directory: DataDirectory,
  { now, migrations = MIGRATIONS }: Opening,
  use: (database: Database, renewal: Renewal | undefined) => Result,
): Result {
  const open = (renewal?: Renewal): Result => {
    const database = openDatabase({ path: directory.database, migrations });
    try {
      return use(database, renewal);
    } catch (error) {
      database.close();
      throw asOlderForm(error, directory.database);
    }
  };
  if (existsSync(directory.damaged) || isLost(directory)) return open(renewDatabase({ directory, now, migrations }));
  try {
    return open();
  } catch (error) {
    if (!isDamage(error)) throw error;
    return open(renewDatabase({ directory, now, migrations }));
  }
}

/** Of every SQLite database. SQLite takes a shorter file for a new one. */
const HEADER_BYTES = 100;

/** Whether the database is empty, cut or missing, though there was one before. */
function isLost({ database, anchor, protections }: DataDirectory): boolean {
  if ((statSync(database, { throwIfNoEntry: false })?.size ?? 0) >= HEADER_BYTES) return false;
  if ((readAnchor(anchor)?.seq ?? 0) > 0) return true; // guard S5-4
  if (!existsSync(protections)) return false;
  const kept = readProtectionsFile(protections);
  return kept === undefined || isProtecting(kept);
}

/**
 * Opens the data directory as its only writer. Throws UnsafeDataDirectory, DataDirectoryInUse, NewerDatabase or OlderDatabase.
 * A damaged database is rebuilt from its readable rows. `renewal` says so.
 */
export function createStore(options: StoreOptions) {
  const directory = prepareDataDirectory(options.path);
  const lock = acquireWriterLock(directory);
  try {
    return openReadable(directory, options, (database, renewal) =>
      openStore({ directory, lock, database, renewal, now: options.now }),
    );
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** The rules and approvals of the person that outlive one action. */
function createRuleTables(database: Database, protections: ProtectionsFile) {
  return {
    grants: createGrantTable(database, protections.changed),
    procedures: createProcedureTable(database),
    profiles: createProfileTable(database, protections.changed),
    allowedFolders: createAllowedFolderTable(database, protections.changed),
    settings: createSettingsTable(database, protections.settingChanged),
  };
}

/** The files beside the database. */
function createFolders({ artifacts, formerVersions }: DataDirectory) {
  return { artifactFiles: createArtifactFiles(artifacts), formerVersions: createFormerVersions(formerVersions) };
}

type Opened = {
  directory: DataDirectory;
  lock: { release(): void };
  database: Database;
  renewal: Renewal | undefined;
  now(): number;
};

/** The journal with everything that has to be in step with it. */
function openJournal({ directory, database, renewal: rebuilt, now }: Opened) {
  const recording = createRecording(database);
  const journal = createJournal(database, recording.note);
  const protections = createProtectionsFile(database, directory.protections);
  const users = createUserTable(database, protections.changed);
  const writer = createWriter({
    database,
    journal,
    users,
    recording,
    protections,
    place: createPlace(directory.database),
    hasRoom: () => hasRoom(directory.roomProbe),
    damaged: () => markDamaged(directory.damaged),
  });
  if (recording.isEmpty() && journal.head().seq > 0) writer.write('durable', recording.rebuild);
  const found = readAnchor(directory.anchor);
  const fault = endFault(database, { anchor: found, key: readKey(directory.key) }, 0);
  const anchor = createAnchoring(directory, journal, writer.isMoved);
  // The next anchor would cover it up, so it is written into the journal itself.
  // guard S1-2
  if (fault !== undefined) writer.write('durable', () => journal.append(now(), brokenBy(fault)));
  // The anchor exists before the first row does: a crash right after that row must not look like a removed anchor.
  else if (found === undefined) anchor();
  const comparison = compareProtections(database, directory.protections);
  const renewal =
    rebuilt ??
    writer.write('durable', () =>
      holdNewer(database, { comparison, isJournalBroken: fault !== undefined, atMs: now() }),
    );
  if (renewal !== undefined) writer.write('durable', () => journal.append(now(), renewedBy(renewal)));
  protections.compare();
  return { recording, journal, protections, users, writer, anchor, renewal };
}

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
function createChecking(database: Database, { path, noteFailure, noteHealed }: Parts) {
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

function openStore(opened: Opened) {
  const { directory, lock, database, now } = opened;
  const { recording, journal, protections, users, writer: write, anchor, renewal } = openJournal(opened);
  const raw = createRawRetention(database);

  return {
    path: directory.path,
    renewal,
    devices: createDeviceTable(database),
    machines: createMachineTable(database),
    actions: createActionTable(database),
    confirmations: createConfirmationTable(database),
    callingPrograms: createCallingProgramTable(database),
    activity: createActivityTable(database),
    runs: createRunTable(database),
    judgedActions: createJudgedActions(database),
    artifacts: createArtifactTable(database),
    undos: createUndoTable(database),
    ...createFolders(directory),
    idempotencyKeys: createKeyTable(database, 'action'),
    kept: createKeptContents(database),
    users,
    ...createRuleTables(database, protections),
    tasks: createTaskTable(database),
    taskKeys: createKeyTable(database, 'task'),
    evidence: createInsightEvidence(database),
    insights: createInsightTable(database),
    journal,
    recording,
    ...createGroups(database),
    ...write,
    /** Lets the database grow no larger than so many pages of 4 KiB: the way to meet a full disk on purpose. */
    limitPages(pages: number): void {
      database.pragma(`max_page_count = ${pages}`);
    },
    /** Whether the journal is as it was written; walks all of it, in a thread of its own, at leisure when nobody waits for it. */
    audit: ({ atLeisure = false } = {}): Promise<AuditResult> => auditInWorker({ directory, atLeisure }),
    /** Checks the database in a thread of its own, and heals what can be healed while it is in use. */
    check: createChecking(database, { path: directory.database, ...write }),
    /** Anchors the end of the journal outside of the database, if it has moved. */
    anchor,
    /** The key that signs the anchor, checkpoints and saved runs. */
    journalKey: (): Buffer => readOrCreateKey(directory.key),
    /** Removes the journal's rows from before a time, some thousand at a call; answers how many. */
    pruneJournal: (beforeMs: number): number =>
      write.write('durable', () =>
        pruneJournal(database, { beforeMs, nowMs: now(), key: readOrCreateKey(directory.key) }),
      ),
    /** Actions since this time are kept under these limits. */
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
      database.close();
      lock.release();
    },
  };
}

/** Counts by requester, type, device and outcome, for the breakdowns of metrics. */
function createGroups(database: Database) {
  return {
    actionGroups: createActionGroups(database),
  };
}

/** Where the database was moved, the directory may be that of another daemon. */
function createAnchoring(directory: DataDirectory, journal: { head(): Head }, isMoved: () => boolean): () => void {
  let anchoredSeq = -1;
  return () => {
    const head = journal.head();
    if (head.seq === anchoredSeq || isMoved()) return;
    writeAnchor(directory.anchor, head, readOrCreateKey(directory.key));
    anchoredSeq = head.seq;
  };
}

function markDamaged(path: string): void {
  try {
    writeFileSync(path, '', { mode: 0o600 });
  } catch {
    // The next start finds the damage by itself, or is told again.
  }
}

function renewedBy({ older, lost, areRulesKept }: Renewal): JournalEvent {
  return { kind: 'daemon.database_renewed', metadata: { older, lost, areRulesKept } };
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
