import type { Database } from 'better-sqlite3';
import { type RecordedEvent, recordedEvent } from '../../domain/journal/journal-event.ts';
import { createRecorder, type Recorder } from '../../guardian/recording/recorder.ts';
import { emptyRollup, type Rollup } from '../../guardian/recording/rollup.ts';
import { onlyRow } from '../database/stored-values.ts';
import { fromStored, type StoredRow, TOLD_COLUMNS } from '../journal/journal.ts';
import { createSettingsTable } from '../records/settings.ts';
import type { createParts } from './parts.ts';
import { recallRecorder } from './recall.ts';
import { DAY_MS, floorTo, HOUR_MS, MINUTE_MS } from './rollup-pieces.ts';
import type { createRollupTable } from './rollups.ts';
import type { SeenTable } from './seen.ts';

/** How long counts may be in memory alone. Storing them costs several times as much as counting an event. */
const STORED_EVERY_MS = 1_000;
const COUNTED_SEQ = 'guardianCountedSeq';

type Tables = {
  rollups: ReturnType<typeof createRollupTable>;
  seen: SeenTable;
  parts: ReturnType<typeof createParts>;
};

/**
 * Counts events into the rollup of their minute. The counts are stored once a second, with the sequence number of the last event
 * that they contain, so that nothing is counted twice. A daemon that was killed before then reads the events after that number
 * from the journal and counts them again.
 */
export function createCounting(database: Database, { rollups, seen, parts }: Tables) {
  const settings = createSettingsTable(database);
  const head = database.prepare<unknown[], { seq: number | null }>('SELECT max(seq) AS seq FROM journal');
  let recorder: Recorder | undefined;
  let minute: { startMs: number; rollup: Rollup } | undefined;
  /** The start of the latest minute that is stored; read again when it is not known. */
  let latestMs: number | undefined;
  /** Right while there is a recorder. */
  let countedSeq = 0;
  let countedAtMs = 0;
  let storedAtMs = Number.NEGATIVE_INFINITY;
  let isStored = true;

  function count(event: RecordedEvent, to: Recorder): void {
    const startMs = floorTo(event.atMs, MINUTE_MS);
    if (minute?.startMs !== startMs) {
      store();
      minute = { startMs, rollup: rollups.find('minute', startMs) ?? emptyRollup() };
    }
    const { rollup } = minute;
    parts.watch({ part: to.partOf(event), atMs: event.atMs, rollup }, () => to.note(event, rollup));
    countedSeq = Math.max(countedSeq, event.seq);
    countedAtMs = event.atMs;
    isStored = false;
  }

  function store(): void {
    if (minute === undefined || isStored) return;
    const latestBeforeMs = latestMs ?? rollups.latestMinuteMs() ?? minute.startMs;
    rollups.put('minute', minute.startMs, minute.rollup);
    latestMs = Math.max(latestBeforeMs, minute.startMs);
    foldEnded(rollups, { startMs: minute.startMs, latestBeforeMs });
    parts.store();
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
    rollups.forgetLatest();
    parts.forget();
    seen.forget();
    [recorder, minute, latestMs, isStored, storedAtMs] = [undefined, undefined, undefined, true, -Infinity];
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

/** Sums up the hour and the day that end with a minute of another one. */
function foldEnded(rollups: Tables['rollups'], of: { startMs: number; latestBeforeMs: number }): void {
  for (const [span, unitMs] of [['hour', HOUR_MS] as const, ['day', DAY_MS] as const]) {
    const [start, latest] = [floorTo(of.startMs, unitMs), floorTo(of.latestBeforeMs, unitMs)];
    const ended = Math.min(start, latest);
    if (start !== latest) rollups.fold(span, { fromMs: ended, toMs: ended + unitMs });
  }
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
