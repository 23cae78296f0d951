import type { Database } from 'better-sqlite3';
import { type RecordedEvent, recordedEvent } from '../../domain/journal/journal-event.ts';
import type { SeenBefore } from '../../guardian/recording/demand.ts';
import type { Recorded } from '../../guardian/recording/metrics.ts';
import { createRecorder, type Recorder } from '../../guardian/recording/recorder.ts';
import { emptyRollup, type Rollup } from '../../guardian/recording/rollup.ts';
import { advanceUpTime, type UpInterval, upTimeIn } from '../../guardian/recording/uptime.ts';
import { fromStored, type StoredRow, TOLD_COLUMNS } from '../journal/journal.ts';
import { createActionMarks } from './action-marks.ts';
import { recallRecorder } from './recall.ts';
import { createRefused } from './refused.ts';
import { createRollupEdges } from './rollup-edges.ts';
import { DAY_MS, floorTo, HOUR_MS, MINUTE_MS, rollupPieces } from './rollup-pieces.ts';
import { createRollupReader } from './rollup-reader.ts';
import { createRollupTable, type Span } from './rollups.ts';

/** How long rows are kept: a span that begins or ends before that has to do so with an hour, or with a day. */
export const ROLLUPS_KEPT_MS = { minute: 35 * DAY_MS, hour: 366 * DAY_MS, day: 5 * 366 * DAY_MS } as const;

const EVER: Span = { fromMs: Number.MIN_SAFE_INTEGER, toMs: Number.MAX_SAFE_INTEGER };
const SEEN_BATCH = 2_000;
/** After every key, which is a JSON array. */
const LAST_KEY = '~';

export type Recording = ReturnType<typeof createRecording>;

/**
 * Counts every event of the journal into rollups and marks of actions, in the transaction that appends it. All that is remembered
 * can be read again.
 */
export function createRecording(database: Database) {
  const tables = createTables(database);
  const { reader, rollups, seen, refused, marks } = tables;
  let pending: RecordedEvent[] = [];
  let recorder: Recorder | undefined;
  let minute: { startMs: number; rollup: Rollup } | undefined;
  let up: UpInterval | undefined;
  /** The start of the latest minute that is stored; read again when it is not known. */
  let latestMs: number | undefined;

  function count(event: RecordedEvent, to: Recorder): void {
    const startMs = floorTo(event.atMs, MINUTE_MS);
    if (minute?.startMs !== startMs) {
      storeMinute();
      minute = { startMs, rollup: rollups.find('minute', startMs) ?? emptyRollup() };
    }
    const { rollup } = minute;
    marks.watch(event, rollup, () => to.note(event, rollup));
    refused.note(event);
    const advanced = advanceUpTime(up, event);
    up = advanced.current;
    for (const interval of advanced.changed) rollups.putInterval(interval);
  }

  function storeMinute(): void {
    if (minute === undefined) return;
    const latestBeforeMs = latestMs ?? rollups.latestMinuteMs() ?? minute.startMs;
    rollups.put('minute', minute.startMs, minute.rollup);
    latestMs = Math.max(latestBeforeMs, minute.startMs);
    foldEnded(rollups, { startMs: minute.startMs, latestBeforeMs });
    marks.store();
  }

  function flush(): void {
    if (pending.length === 0) return;
    const events = pending.splice(0);
    recorder ??= recallRecorder(database, { seen, before: events });
    for (const event of events) count(event, recorder);
    storeMinute();
  }

  return {
    /** Takes in a row that was just appended; it is counted with `flush`. */
    note(event: RecordedEvent): void {
      pending.push(event);
    },
    /** Counts what was noted; only inside the write transaction that appended it. */
    flush,
    /** Forgets what was counted of a transaction that was rolled back: it is read again when it is needed. */
    rollBackTo(earlier: { seq: number; up: UpInterval | undefined }): void {
      pending = pending.filter(({ seq }) => seq <= earlier.seq);
      rollups.forgetLatest();
      marks.forget();
      [recorder, minute, latestMs, up] = [undefined, undefined, undefined, earlier.up];
    },
    upNow: (): UpInterval | undefined => up,
    /** The daemon is up at a time at which no event says so; only inside a write transaction. */
    stillUp(atMs: number): void {
      if (up === undefined || atMs <= up.toMs) return;
      up = { ...up, toMs: atMs };
      rollups.putInterval(up);
    },
    /**
     * The recorded events of a span between minute edges. A running daemon counts as up until `nowMs`, even if nothing
     * happens.
     */
    recorded: (span: Span, nowMs: number): Recorded => readRecorded({ rollups, reader }, { span, up, nowMs }),
    /** Where the refused requests of a span came from. */
    refusedSources: refused.sourcesBetween,
    /** Marked actions by requester, type and device, and since when they are counted. */
    marked: { fromMs: marks.fromMs, in: marks.in },
    /** When some counters of a span were first and last above 0. */
    firstAndLast: createRollupEdges(database),
    /** Removes rows whose time to be kept is over; only inside a write transaction. */
    prune: (nowMs: number): void => prune(tables, nowMs),
    /** Counts the whole journal anew; only inside a write transaction. */
    rebuild(): void {
      flush();
      const known = rollups.intervals(EVER);
      clear(tables);
      [minute, latestMs, up] = [undefined, undefined, undefined];
      recorder = createRecorder(seen);
      for (const event of everyRow(database)) count(event, recorder);
      storeMinute();
      up = keepKnownEnds(rollups, known, up);
    },
    /** Whether nothing was ever counted. */
    isEmpty: (): boolean => rollups.latestMinuteMs() === undefined,
  };
}

/** Sums up the hour and the day that end with a minute of another one. */
function foldEnded(rollups: Tables['rollups'], of: { startMs: number; latestBeforeMs: number }): void {
  for (const [span, unitMs] of [['hour', HOUR_MS] as const, ['day', DAY_MS] as const]) {
    const [start, latest] = [floorTo(of.startMs, unitMs), floorTo(of.latestBeforeMs, unitMs)];
    const ended = Math.min(start, latest);
    if (start !== latest) rollups.fold(span, { fromMs: ended, toMs: ended + unitMs });
  }
}

/**
 * Stores how long the daemon was up after its last event, which the journal does not say. Returns the interval that is still
 * open.
 */
function keepKnownEnds(
  rollups: Tables['rollups'],
  known: readonly UpInterval[],
  current: UpInterval | undefined,
): UpInterval | undefined {
  const ends = new Map(known.map(({ seq, toMs }) => [seq, toMs]));
  const longer = (interval: UpInterval) => ({
    ...interval,
    toMs: Math.max(interval.toMs, ends.get(interval.seq) ?? 0),
  });
  for (const interval of rollups.intervals(EVER)) rollups.putInterval(longer(interval));
  return current && longer(current);
}

type Tables = ReturnType<typeof createTables>;

function createTables(database: Database) {
  const reader = createRollupReader(database);
  return {
    reader,
    rollups: createRollupTable(database, reader.changed),
    seen: createSeen(database),
    refused: createRefused(database),
    marks: createActionMarks(database),
  };
}

function clear({ rollups, refused, marks, reader }: Tables): void {
  rollups.clear();
  refused.clear();
  marks.clear();
  reader.forget();
}

function prune({ rollups, seen, refused, marks }: Tables, nowMs: number): void {
  for (const span of ['minute', 'hour', 'day'] as const) rollups.prune(span, nowMs - ROLLUPS_KEPT_MS[span]);
  rollups.pruneIntervals(nowMs - ROLLUPS_KEPT_MS.day);
  seen.prune(nowMs - 29 * DAY_MS);
  refused.prune(nowMs);
  marks.prune(nowMs);
}

/** The events of a span between minute edges, counted; `up`: the stretch that goes on, until `nowMs`. */
export function readRecorded(
  { rollups, reader }: { rollups: ReturnType<typeof createRollupTable>; reader: ReturnType<typeof createRollupReader> },
  { span: { fromMs, toMs }, up, nowMs }: { span: Span; up: UpInterval | undefined; nowMs: number },
): Recorded {
  const keptFromMs = Math.max(fromMs, floorTo(nowMs - ROLLUPS_KEPT_MS.day, DAY_MS));
  const pieces = rollupPieces({ fromMs: keptFromMs, toMs }, rollups.latestMinuteMs() ?? 0);
  const past = rollups.intervals({ fromMs, toMs }).filter(({ seq }) => seq !== up?.seq);
  const intervals = up === undefined ? past : [...past, { ...up, toMs: Math.max(up.toMs, nowMs) }];
  return {
    rollup: reader.sum(pieces),
    upTime: upTimeIn(intervals, { fromMs: keptFromMs, toMs }),
    lengthMs: toMs - fromMs,
  };
}

/** In pages, since what is counted of them is written meanwhile. */
function* everyRow(database: Database): Generator<RecordedEvent> {
  const page = database.prepare<unknown[], StoredRow>(
    `SELECT ${TOLD_COLUMNS} FROM journal WHERE seq > ? ORDER BY seq LIMIT 1000`,
  );
  for (let last = 0; ; ) {
    const rows = page.all(last);
    yield* rows.map((row) => recordedEvent(fromStored(row)));
    const next = rows.at(-1)?.seq;
    if (next === undefined) return;
    last = next;
  }
}

function createSeen(database: Database): SeenBefore & { prune(beforeMs: number): void } {
  const get = database.prepare<unknown[], { at_ms: number }>('SELECT at_ms FROM guardian_seen WHERE key = ?');
  const put = database.prepare('INSERT OR REPLACE INTO guardian_seen (key, at_ms) VALUES (?, ?)');
  const end = database
    .prepare<unknown[], string>(`SELECT key FROM guardian_seen WHERE key > ? ORDER BY key LIMIT 1 OFFSET ${SEEN_BATCH}`)
    .pluck();
  const prune = database.prepare('DELETE FROM guardian_seen WHERE key > ? AND key <= ? AND at_ms < ?');
  let prunedUpTo = '';
  return {
    lastAtMs: (key) => get.get(key)?.at_ms,
    note: (key, atMs) => void put.run(key, atMs),
    /** Checks some thousand rows; the next call continues after them. */
    prune(beforeMs) {
      const upTo = end.get(prunedUpTo);
      prune.run(prunedUpTo, upTo ?? LAST_KEY, beforeMs);
      prunedUpTo = upTo ?? '';
    },
  };
}
