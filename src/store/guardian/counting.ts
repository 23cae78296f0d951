import type { Database } from 'better-sqlite3';
import { type RecordedEvent, recordedEvent } from '../../domain/journal/journal-event.ts';
import { type Part, partKey } from '../../guardian/recording/parts.ts';
import { createRecorder, type Recorder } from '../../guardian/recording/recorder.ts';
import { emptyRollup, type Rollup } from '../../guardian/recording/rollup.ts';
import { onlyRow } from '../database/stored-values.ts';
import { fromStored, type StoredRow, TOLD_COLUMNS } from '../journal/journal.ts';
import { createSettingsTable } from '../records/settings.ts';
import type { createCounts } from './counts.ts';
import { recallRecorder } from './recall.ts';
import type { SeenTable } from './seen.ts';
import { floorTo, MINUTE_MS } from './units.ts';

/** How long counts may be in memory alone. Storing them costs several times as much as counting an event. */
const STORED_EVERY_MS = 1_000;
const COUNTED_SEQ = 'guardianCountedSeq';

type Tables = { counts: ReturnType<typeof createCounts>; seen: SeenTable };

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
