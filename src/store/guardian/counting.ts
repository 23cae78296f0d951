import type { Database } from 'better-sqlite3';
import { type RecordedEvent, recordedEvent } from '../../domain/journal/journal-event.ts';
import { REPEAT_MS, type SeenBefore } from '../../guardian/recording/demand.ts';
import { type Part, partKey } from '../../guardian/recording/parts.ts';
import { createRecorder, type Recorder } from '../../guardian/recording/recorder.ts';
import { emptyRollup, type Rollup } from '../../guardian/recording/rollup.ts';
import { IS_LIVE } from '../database/schema/actions.ts';
import { onlyRow } from '../database/stored-values.ts';
import { fromStored, type StoredRow, TOLD_COLUMNS } from '../journal/journal.ts';
import { createEndedActions } from '../records/actions.ts';
import { createSettingsTable } from '../records/settings.ts';
import type { createCounts } from './counts.ts';
import { DAY_MS, floorTo, MINUTE_MS } from './units.ts';

/** How long counts may be in memory alone. Storing them costs several times as much as counting an event. */
const STORED_EVERY_MS = 1_000;
const COUNTED_SEQ = 'guardianCountedSeq';

const SEEN_BATCH = 2_000;
/** How many rows are remembered once they were read. Most requests repeat an earlier one. */
const MOST_READ = 1_000;
/** After every key, which is a JSON array. */
const LAST_KEY = '~';

type SeenTable = ReturnType<typeof createSeen>;

/** When each combination of requester, action type and target was last asked for. Notes stay in memory until `store` writes them. */
export function createSeen(database: Database) {
  const get = database.prepare<unknown[], { at_ms: number }>('SELECT at_ms FROM guardian_seen WHERE key = ?');
  const put = database.prepare('INSERT OR REPLACE INTO guardian_seen (key, at_ms) VALUES (?, ?)');
  const end = database
    .prepare<unknown[], string>(`SELECT key FROM guardian_seen WHERE key > ? ORDER BY key LIMIT 1 OFFSET ${SEEN_BATCH}`)
    .pluck();
  const prune = database.prepare('DELETE FROM guardian_seen WHERE key > ? AND key <= ? AND at_ms < ?');
  const noted = new Map<string, number>();
  /** Rows as they were last read. Only `store` changes one, and a row that `prune` removes is as old as none. */
  const read = new Map<string, number>();
  let prunedUpTo = '';

  function readAtMs(key: string): number | undefined {
    const known = read.get(key);
    if (known !== undefined) return known;
    const atMs = get.get(key)?.at_ms;
    if (read.size >= MOST_READ) read.clear();
    if (atMs !== undefined) read.set(key, atMs);
    return atMs;
  }

  return {
    lastAtMs: (key) => noted.get(key) ?? readAtMs(key),
    note: (key, atMs) => void noted.set(key, atMs),
    /** Only inside a write transaction. */
    store(): void {
      for (const [key, atMs] of noted) {
        put.run(key, atMs);
        read.delete(key);
      }
      noted.clear();
    },
    /** Forgets the notes that were not stored. */
    forget(): void {
      noted.clear();
      read.clear();
    },
    clear: (): void => void database.exec('DELETE FROM guardian_seen'),
    /** Checks some thousand rows; the next call continues after them. Only inside a write transaction. */
    prune(beforeMs: number): void {
      const upTo = end.get(prunedUpTo);
      prune.run(prunedUpTo, upTo ?? LAST_KEY, beforeMs);
      prunedUpTo = upTo ?? '';
    },
  } satisfies SeenBefore & Record<string, unknown>;
}

type Tables = { counts: ReturnType<typeof createCounts>; seen: SeenTable };

/**
 * Rebuilds a recorder's state from the journal: the actions and plans that have not ended, and the latest requests. `before`:
 * the events that the recorder counts next, which are in the journal already. Reads some ten minutes of the journal and skips
 * actions and plans that have ended, so that a busy daemon starts as fast as any.
 */
function recallRecorder(
  database: Database,
  { seen, before }: { seen: SeenBefore; before: readonly RecordedEvent[] },
): Recorder {
  let isRecalling = true;
  const recorder = createRecorder({
    lastAtMs: (key) => (isRecalling ? undefined : seen.lastAtMs(key)),
    note: (key, atMs) => (isRecalling ? undefined : seen.note(key, atMs)),
  });
  const unfinished = findUnfinished(database, before);
  const recentFromMs = (before[0]?.atMs ?? 0) - REPEAT_MS - MINUTE_MS;
  const beforeSeq = before[0]?.seq ?? 0;
  const afterSeq = seqBefore(database, { beforeSeq, recentFromMs, unfinished });
  const nothing = emptyRollup();
  for (const event of rowsToRecall(database, { afterSeq, beforeSeq, ids: unfinished.ids })) {
    if (unfinished.ids.has(event.actionId ?? '') || event.kind !== 'action.requested') recorder.note(event, nothing);
    else recorder.noteRequest(event);
  }
  isRecalling = false;
  return recorder;
}

/**
 * `ids`: the subjects of the events, and the actions and plans that have not ended. `begun`: the actions and plans among them that have
 * their beginning in the journal. The first began at `oldestMs`.
 */
type Unfinished = { ids: ReadonlySet<string>; begun: readonly string[]; oldestMs: number };

function findUnfinished(database: Database, events: readonly RecordedEvent[]): Unfinished {
  const named = events.flatMap(({ actionId = [], confirmationId = [] }) => [actionId, confirmationId].flat());
  const rows = database
    .prepare<unknown[], { id: string; atMs: number }>(
      `WITH
         named AS (SELECT value FROM json_each(?)),
         unfinished AS (
           SELECT id, created_at_ms, plan_id FROM actions WHERE rowid > ? AND ${IS_LIVE}
           UNION ALL SELECT id, created_at_ms, plan_id FROM actions WHERE id IN named)
       SELECT id, created_at_ms AS atMs FROM unfinished
       UNION ALL SELECT c.id, c.created_at_ms FROM tasks t JOIN confirmations c ON c.task_id = t.id WHERE t.finished_at_ms IS NULL
       UNION ALL SELECT id, created_at_ms FROM confirmations
         WHERE task_id IS NOT NULL AND id IN (SELECT value FROM named UNION ALL SELECT plan_id FROM unfinished)`,
    )
    .all(JSON.stringify(named), createEndedActions(database).upTo());
  const begun = [...new Set(rows.map(({ id }) => id))];
  const oldestMs = rows.reduce((oldest, { atMs }) => Math.min(oldest, atMs), Number.POSITIVE_INFINITY);
  return { ids: new Set([...named, ...begun]), begun, oldestMs };
}

/**
 * A sequence number before every row that is needed: the rows where unfinished work begins, and the recent ones. Times alone
 * do not give it, since the clock may have been set back in between; a row that is missing from the first search is searched
 * for in one day more.
 */
function seqBefore(
  database: Database,
  {
    beforeSeq,
    recentFromMs,
    unfinished: { begun, oldestMs },
  }: { beforeSeq: number; recentFromMs: number; unfinished: Unfinished },
): number {
  const latestBefore = database
    .prepare('SELECT seq FROM journal WHERE seq < ? AND at_ms < ? ORDER BY seq DESC LIMIT 1')
    .pluck();
  const seqAt = (atMs: number) => Number(latestBefore.get(beforeSeq, atMs) ?? 0);
  const beginnings = database.prepare<unknown[], { found: number; first: number | null }>(
    `SELECT count(*) AS found, min(seq) AS first FROM journal
     WHERE seq > :afterSeq AND ((kind = 'action.requested' AND action_id IN (SELECT value FROM json_each(:ids)))
       OR (kind = 'task.plan_asked' AND confirmation_id IN (SELECT value FROM json_each(:ids))))`,
  );
  const beginningsAfter = (afterSeq: number) => onlyRow(beginnings.get({ afterSeq, ids: JSON.stringify(begun) }));
  const fromMs = Math.min(oldestMs, recentFromMs);
  const seq = seqAt(fromMs);
  if (begun.length === 0 || beginningsAfter(seq).found === begun.length) return seq;
  const { first } = beginningsAfter(seqAt(fromMs - DAY_MS));
  return Math.min(seq, (first ?? Number.POSITIVE_INFINITY) - 1);
}

/** The requests and refusals of a stretch of the journal, and every row of it that is about one of the ids. */
function* rowsToRecall(
  database: Database,
  { afterSeq, beforeSeq, ids }: { afterSeq: number; beforeSeq: number; ids: ReadonlySet<string> },
): Generator<RecordedEvent> {
  const rows = database.prepare<unknown[], StoredRow>(
    `SELECT ${TOLD_COLUMNS} FROM journal
     WHERE seq > :afterSeq AND seq < :beforeSeq AND (kind IN ('action.requested', 'request.refused')
       OR action_id IN (SELECT value FROM json_each(:ids)) OR confirmation_id IN (SELECT value FROM json_each(:ids)))
     ORDER BY seq`,
  );
  for (const row of rows.iterate({ afterSeq, beforeSeq, ids: JSON.stringify([...ids]) }))
    yield recordedEvent(fromStored(row));
}

/**
 * Counts events by minute, requester, action type and device. The counts are stored once a second, with the sequence number of the last
 * event that they contain, so that nothing is counted twice. A daemon that was killed before then reads the events after that number
 * from the journal and counts them again.
 */
export function createCounting(database: Database, { counts, seen }: Tables) {
  const settings = createSettingsTable(database);
  const head = database.prepare<unknown[], { seq: number | null }>('SELECT max(seq) AS seq FROM journal');
  let recorder: Recorder | undefined;
  /** What was counted since the counts were stored. */
  let minute: { startMs: number; parts: Map<string, { part: Part; rollup: Rollup }> } | undefined;
  /** Right while there is a recorder. */
  let countedSeq = 0;
  let countedAtMs = 0;
  let storedAtMs = Number.NEGATIVE_INFINITY;
  let isStored = true;

  function count(event: RecordedEvent, to: Recorder): void {
    const startMs = floorTo(event.atMs, MINUTE_MS);
    if (minute?.startMs !== startMs) {
      store();
      minute = { startMs, parts: new Map() };
    }
    const part = to.partOf(event);
    const key = partKey(part);
    const counted = minute.parts.get(key) ?? { part, rollup: emptyRollup() };
    to.note(event, counted.rollup);
    minute.parts.set(key, counted);
    countedSeq = Math.max(countedSeq, event.seq);
    countedAtMs = event.atMs;
    isStored = false;
  }

  function store(): void {
    if (minute === undefined || isStored) return;
    counts.add(minute.startMs, minute.parts.values());
    minute.parts.clear();
    seen.store();
    settings.set(COUNTED_SEQ, countedSeq);
    storedAtMs = countedAtMs;
    isStored = true;
  }

  const storedSeq = () => Number(settings.get(COUNTED_SEQ) ?? 0);

  /** With the events of the journal before them that are not counted. */
  function withMissed(events: readonly RecordedEvent[]): RecordedEvent[] {
    countedSeq = storedSeq();
    const beforeSeq = events[0]?.seq ?? Number.MAX_SAFE_INTEGER;
    return [...rowsOfJournal(database, { afterSeq: countedSeq, beforeSeq }), ...events];
  }

  function forget(): void {
    counts.forget();
    seen.forget();
    [recorder, minute, isStored, storedAtMs] = [undefined, undefined, true, -Infinity];
  }

  return {
    /** Counts the latest events of the journal; only inside a write transaction. */
    count(latest: readonly RecordedEvent[]): void {
      const events = recorder === undefined ? withMissed(latest) : latest;
      if (events.length === 0) return;
      recorder ??= recallRecorder(database, { seen, before: events });
      for (const event of events) count(event, recorder);
      if (isDue({ storedAtMs, atMs: countedAtMs })) store();
    },
    isDue: (atMs: number): boolean => isDue({ storedAtMs, atMs }),
    /** Stores the counts. Only inside a write transaction. */
    store,
    /** Whether the journal has events that the stored counts do not contain. */
    isBehind: (): boolean => (recorder === undefined ? (onlyRow(head.get()).seq ?? 0) > storedSeq() : !isStored),
    /** Forgets what is in memory alone: it is counted again from the journal when it is needed. */
    forget,
    /** Counts the whole journal into empty tables; only inside a write transaction. `each` gets every event. */
    recount(each: (event: RecordedEvent) => void): void {
      forget();
      recorder = createRecorder(seen);
      countedSeq = 0;
      for (const event of rowsOfJournal(database, { afterSeq: 0, beforeSeq: Number.MAX_SAFE_INTEGER })) {
        each(event);
        count(event, recorder);
      }
      store();
    },
  };
}

/** The clock may have been set back. */
function isDue({ storedAtMs, atMs }: { storedAtMs: number; atMs: number }): boolean {
  return Math.abs(atMs - storedAtMs) >= STORED_EVERY_MS;
}

/** Reads in pages, because the counts of one page are written before the next is read. */
function* rowsOfJournal(
  database: Database,
  { afterSeq, beforeSeq }: { afterSeq: number; beforeSeq: number },
): Generator<RecordedEvent> {
  const page = database.prepare<unknown[], StoredRow>(
    `SELECT ${TOLD_COLUMNS} FROM journal WHERE seq > ? AND seq < ? ORDER BY seq LIMIT 1000`,
  );
  for (let last = afterSeq; ; ) {
    const rows = page.all(last, beforeSeq);
    yield* rows.map((row) => recordedEvent(fromStored(row)));
    const next = rows.at(-1)?.seq;
    if (next === undefined) return;
    last = next;
  }
}
