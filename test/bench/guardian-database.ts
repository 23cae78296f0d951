import { existsSync, mkdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { dataDirectoryAt } from '../../src/store/database/data-directory.ts';
import { createActionGroups } from '../../src/store/guardian/action-groups.ts';
import { createRecording } from '../../src/store/guardian/recording.ts';
import { createJournal } from '../../src/store/journal/journal.ts';
import { createActionTable } from '../../src/store/records/actions.ts';
import { createConfirmationTable } from '../../src/store/records/confirmations.ts';
import { createSettingsTable } from '../../src/store/records/settings.ts';
import { createTaskTable } from '../../src/store/records/tasks.ts';
import { createUserTable } from '../../src/store/records/users.ts';
import { createStore } from '../../src/store/store.ts';
import { fromOtherBuild } from '../store/other-build.ts';
import { type Extent, history, type Past, type PastTask, taskAfter, USERS } from './guardian-history.ts';
import { repeatWeek, WEEK_MS } from './guardian-weeks.ts';
import { progress } from './progress.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** The bytes of an action with its indices, its share of prompts and a day's journal. */
const BYTES_A_ROW = 600;
/** Rows of the journal before this are left out: nothing Guardian answers is read from them. */
const JOURNAL_MS = DAY_MS;
const CONTENTS_MS = DAY_MS;
/** Time that passes from one run of the bench to the next, so that none finds what the one before it did among what just happened. */
const BETWEEN_RUNS_MS = 30 * MINUTE_MS;
/** The last action has ended this long after it was asked for, at the latest. */
const ALL_ENDED_MS = 5 * MINUTE_MS;
const MARK = 'complete.json';
const DEVICE_ID = 'dev_bench';

type Wanted = { path: string; rows: number; days: number };
/** A data directory with so many actions, the last of which has ended at its present. */
export type Built = { path: string; presentMs: number };

/** Builds the data directory, or takes the one that an earlier run has built. */
export function builtDatabase(wanted: Wanted, print: (line: string) => void): Built {
  const path = join(wanted.path, `${wanted.rows}-actions-${wanted.days}-days`);
  const known = readMark(path);
  if (known !== undefined) return livedOn(wanted, path, known + BETWEEN_RUNS_MS);
  rmSync(path, { recursive: true, force: true });
  mkdirSync(wanted.path, { recursive: true });
  refuseWithoutSpace(wanted, print);
  const endMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS + 37 * MINUTE_MS;
  const startedMs = performance.now();
  const device = {
    id: DEVICE_ID,
    ownerId: 'ann',
    type: 'linux',
    name: 'Desk',
    machine: 'local',
    capabilities: {},
    createdAtMs: 0,
  };
  const store = createStore({ path, now: () => endMs });
  store.write('relaxed', () => store.devices.insert(device));
  store.close();
  const database = openForFilling(dataDirectoryAt(path).database);
  fillWeeks(database, { ...wanted, endMs, deviceId: DEVICE_ID }, (done) =>
    progress.at(passed(done, wanted.rows, performance.now() - startedMs)),
  );
  noteEnded(database);
  database.pragma('journal_mode = WAL');
  database.close();
  writeMark(path, endMs);
  print(`  built in ${Math.round((performance.now() - startedMs) / 1000)} s`);
  return { path, presentMs: endMs + ALL_ENDED_MS };
}

/** One week is stored as the daemon would have, and copied to the weeks after it. The days after them are stored like the first week. */
export function fillWeeks(database: Database.Database, extent: Extent, progressed: (rows: number) => void): void {
  const { rows, days, endMs } = extent;
  const startMs = Math.floor((endMs - days * DAY_MS) / DAY_MS) * DAY_MS;
  const lengthMs = endMs - startMs;
  const weeks = Math.max(0, Math.floor((lengthMs - 2 * DAY_MS) / WEEK_MS));
  const aWeek = Math.round((rows * WEEK_MS) / lengthMs);
  if (weeks > 0) {
    const first = { ...extent, rows: aWeek, days: 7, endMs: startMs + WEEK_MS };
    fill(database, { ...first, journalFromMs: Number.POSITIVE_INFINITY }, progressed);
    repeatWeek(database, { fromMs: startMs, times: weeks - 1, endMs }, (week) => progressed(week * aWeek));
    const upToId = database.prepare('SELECT max(id) FROM actions').pluck().get();
    createSettingsTable(database).set('actionGroups', { upToId, waiting: [] });
    progressed(weeks * aWeek);
  }
  const rest = { ...extent, rows: rows - weeks * aWeek, days: (lengthMs - weeks * WEEK_MS) / DAY_MS };
  fill(database, { ...rest, journalFromMs: endMs - JOURNAL_MS }, (done) => progressed(weeks * aWeek + done));
}

/** As the daemon does when it tidies up: its start then looks at later actions only. */
function noteEnded(database: Database.Database): void {
  const actions = createActionTable(database);
  while (actions.noteEnded()) progress.at('noting the actions that have ended');
}

/** The same some time later, in the last half of which as much happened as in any other. */
function livedOn({ rows, days }: Wanted, path: string, endMs: number): Built {
  const lived = BETWEEN_RUNS_MS / 2 / DAY_MS;
  createStore({ path, now: () => endMs }).close();
  const database = new Database(dataDirectoryAt(path).database);
  const extent = { rows: Math.round((rows * lived) / days), days: lived, endMs, deviceId: DEVICE_ID };
  fill(database, { ...extent, journalFromMs: 0 }, (done) =>
    progress.at(`${done} of ${extent.rows} later actions are built`),
  );
  database.close();
  writeMark(path, endMs);
  return { path, presentMs: endMs + ALL_ENDED_MS };
}

/**
 * Stores the history of an extent as the daemon would have: rows as they are at their end, counted by the daemon's own recording,
 * a minute at a time. Only what happened from `journalFromMs` on is in the journal.
 */
export function fill(
  database: Database.Database,
  extent: Extent & { journalFromMs: number },
  progressed: (rows: number) => void,
): void {
  const recording = createRecording(database);
  const journal = createJournal(database, recording.note);
  const tables = createFiller(database);
  const minutes = createMinutes();
  // Rows of the journal count from 1; rows outside of it come before, those of a later extent after those of an earlier one.
  let seq = Math.floor(Number.MIN_SAFE_INTEGER + extent.endMs - extent.days * DAY_MS);

  function record(events: Past['events']): void {
    for (const { atMs, ...event } of events) {
      if (atMs >= extent.journalFromMs) journal.append(atMs, fromOtherBuild(event));
      else {
        seq += 1;
        recording.note({ ...fromOtherBuild(event), atMs, seq });
      }
    }
    recording.flush();
  }

  const inOneGo = database.transaction((pasts: Past[], number: number) => {
    for (const [index, past] of pasts.entries()) {
      const task = taskAfter(past, number + index);
      tables.insert(past, task?.row, extent.endMs - CONTENTS_MS);
      for (const before of minutes.before(past.row.createdAtMs)) record(before);
      minutes.add(past.events);
      if (task !== undefined) minutes.add(task.events);
    }
  });
  minutes.add(lifeOfDaemon(extent));
  let done = 0;
  for (const pasts of chunked(history(extent), 10_000)) {
    inOneGo(pasts, done);
    done += pasts.length;
    progressed(done);
  }
  database.transaction(() => {
    for (const rest of minutes.before(extent.endMs + DAY_MS)) {
      record(rest);
      progressed(done);
    }
    recording.prune(extent.endMs);
    const groups = createActionGroups(database);
    let isMore = true;
    while (isMore) {
      isMore = groups.fold();
      progressed(done);
    }
  })();
}

/** Stores the actions of an extent with their prompts and tasks alone: no journal, and nothing that Guardian counts. */
export function fillRecords(database: Database.Database, extent: Extent): void {
  const tables = createFiller(database);
  database.transaction(() => {
    let number = 0;
    for (const past of history(extent)) {
      tables.insert(past, taskAfter(past, number)?.row, extent.endMs - CONTENTS_MS);
      number += 1;
    }
  })();
}

/** Events as they come, handed out minute by minute in the order of time. */
function createMinutes() {
  const waiting = new Map<number, Past['events'][number][]>();
  let handedOutMs = Number.NEGATIVE_INFINITY;
  return {
    add(events: Past['events']): void {
      for (const event of events) {
        const minuteMs = Math.floor(event.atMs / MINUTE_MS) * MINUTE_MS;
        const others = waiting.get(minuteMs);
        if (others === undefined) waiting.set(minuteMs, [event]);
        else others.push(event);
      }
    },
    /** The whole minutes before a time that were not yet handed out. */
    *before(atMs: number) {
      const endMs = Math.floor(atMs / MINUTE_MS) * MINUTE_MS;
      if (endMs <= handedOutMs) return;
      handedOutMs = endMs;
      const ended = [...waiting.keys()].filter((minuteMs) => minuteMs < endMs).sort((one, other) => one - other);
      for (const minuteMs of ended) {
        yield (waiting.get(minuteMs) ?? []).toSorted((one, other) => one.atMs - other.atMs);
        waiting.delete(minuteMs);
      }
    },
  };
}

/** Started at the beginning, and anew every day at three in the morning. */
export function lifeOfDaemon({ days, endMs }: Pick<Extent, 'days' | 'endMs'>): Past['events'] {
  const startMs = Math.floor(endMs / MINUTE_MS) * MINUTE_MS - days * DAY_MS;
  const firstNightMs = Math.ceil(startMs / DAY_MS) * DAY_MS + 3 * HOUR_MS;
  const nights = Array.from({ length: days }, (_, day) => firstNightMs + day * DAY_MS).filter((atMs) => atMs < endMs);
  const life = [startMs, ...nights].flatMap((atMs, index) => [
    ...(index === 0 ? [] : [{ kind: 'daemon.stopped', atMs: atMs - 5 * MINUTE_MS }]),
    { kind: 'daemon.started', atMs },
    { kind: 'agent.readiness', atMs: atMs + 2_000, metadata: { ready: true } },
  ]);
  // An hour and a day are summed up at the first event after them that is counted.
  return [...life, { kind: 'grant.created', atMs: endMs }];
}

function createFiller(database: Database.Database) {
  const actions = createActionTable(database);
  const confirmations = createConfirmationTable(database);
  const tasks = createTaskTable(database);
  const users = createUserTable(database);
  for (const user of USERS) users.see(user, 0);
  return {
    insert({ row, prompt }: Past, task: PastTask['row'] | undefined, contentsFromMs: number): void {
      if (task !== undefined) tasks.insert(task);
      const isFresh = row.createdAtMs >= contentsFromMs;
      actions.insert(isFresh ? { ...row, parameters: { appName: 'Notes' } } : row);
      if (prompt === undefined) return;
      const { id, status, decidedAtMs = 0, shownAtMs = 0, answerableAtMs = 0 } = prompt;
      confirmations.insert({ ...prompt, nonce: id.slice(-12), policyVersion: 'v1' });
      confirmations.markShown(id, { shownAtMs, answerableAtMs });
      confirmations.decide(id, { status, atMs: decidedAtMs });
    },
  };
}

function* chunked<Item>(items: Iterable<Item>, size: number): Generator<Item[]> {
  let chunk: Item[] = [];
  for (const item of items) {
    chunk.push(item);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  yield chunk;
}

/** A failure half way loses nothing: a database without a mark is built anew. */
function openForFilling(path: string): Database.Database {
  const database = new Database(path);
  for (const pragma of ['journal_mode = OFF', 'synchronous = OFF', 'locking_mode = EXCLUSIVE', 'cache_size = -1000000'])
    database.pragma(pragma);
  database.pragma('foreign_keys = OFF');
  return database;
}

function readMark(path: string): number | undefined {
  const mark = join(path, MARK);
  return existsSync(mark) ? (JSON.parse(readFileSync(mark, 'utf8')) as Pick<Extent, 'endMs'>).endMs : undefined;
}

function writeMark(path: string, endMs: number): void {
  writeFileSync(join(path, MARK), JSON.stringify({ endMs }));
}

function refuseWithoutSpace({ path, rows }: Wanted, print: (line: string) => void): void {
  const { bavail, bsize } = statfsSync(path);
  const [needed, free] = [rows * BYTES_A_ROW, bavail * bsize].map((bytes) => (bytes / 1e9).toFixed(1));
  print(`Building ${rows} actions in ${path}: needs about ${needed} GB of ${free} GB free.`);
  if (bavail * bsize < rows * BYTES_A_ROW) throw new Error('There is not enough room; name another folder with --dir.');
}

function passed(done: number, rows: number, passedMs: number): string {
  const leftMs = (passedMs / done) * (rows - done);
  return `${done} of ${rows} actions are built, about ${Math.round(leftMs / 1000)} s left`;
}
