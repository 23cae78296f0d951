import type { Database } from 'better-sqlite3';
import { REPEAT_MS, type SeenBefore } from '../guardian/recording/demand.ts';
import type { Recorded } from '../guardian/recording/metrics.ts';
import type { RecordedEvent } from '../guardian/recording/recorded-event.ts';
import { createRecorder, type Recorder } from '../guardian/recording/recorder.ts';
import { emptyRollup, type Rollup } from '../guardian/recording/rollup.ts';
import { advanceUpTime, type UpInterval, upTimeIn } from '../guardian/recording/uptime.ts';
import { fromStored, type JournalRow, type StoredRow } from './journal.ts';
import { DAY_MS, floorTo, HOUR_MS, MINUTE_MS, rollupPieces } from './rollup-pieces.ts';
import { createRollupReader } from './rollup-reader.ts';
import { createRollupTable, type Span } from './rollups.ts';

/** How long rows are kept: a span that begins or ends before that has to do so with an hour, or with a day. */
export const ROLLUPS_KEPT_MS = { minute: 35 * DAY_MS, hour: 366 * DAY_MS, day: 5 * 366 * DAY_MS } as const;

const SEEN_BATCH = 2_000;
/** After every key, which is a JSON array. */
const LAST_KEY = '~';

export type Recording = ReturnType<typeof createRecording>;

/** Counts every event of the journal into rollups, in the transaction that appends it. All that is remembered can be read again. */
export function createRecording(database: Database) {
  const reader = createRollupReader(database);
  const rollups = createRollupTable(database, reader.changed);
  const seen = createSeen(database);
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
    to.note(event, minute.rollup);
    const advanced = advanceUpTime(up, event);
    up = advanced.current;
    for (const interval of advanced.changed) rollups.putInterval(interval);
  }

  function storeMinute(): void {
    if (minute === undefined) return;
    const latestBeforeMs = latestMs ?? rollups.latestMinuteMs() ?? minute.startMs;
    rollups.put('minute', minute.startMs, minute.rollup);
    latestMs = Math.max(latestBeforeMs, minute.startMs);
    for (const [span, unitMs] of [['hour', HOUR_MS] as const, ['day', DAY_MS] as const]) {
      const [of, latest] = [floorTo(minute.startMs, unitMs), floorTo(latestBeforeMs, unitMs)];
      const ended = Math.min(of, latest);
      if (of !== latest) rollups.fold(span, { fromMs: ended, toMs: ended + unitMs });
    }
  }

  function flush(): void {
    if (pending.length === 0) return;
    const events = pending;
    pending = [];
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
      [recorder, minute, latestMs, up] = [undefined, undefined, undefined, earlier.up];
    },
    upNow: (): UpInterval | undefined => up,
    /** What happened in a span between minute edges. While the daemon is up it is up until `nowMs`, even if nothing happens. */
    recorded: (span: Span, nowMs: number): Recorded => readRecorded({ rollups, reader }, { span, up, nowMs }),
    /** Removes rows whose time to be kept is over; only inside a write transaction. */
    prune(nowMs: number): void {
      for (const span of ['minute', 'hour', 'day'] as const) rollups.prune(span, nowMs - ROLLUPS_KEPT_MS[span]);
      rollups.pruneIntervals(nowMs - ROLLUPS_KEPT_MS.day);
      seen.prune(nowMs - 29 * DAY_MS);
    },
    /** Counts the whole journal anew; only inside a write transaction. */
    rebuild(): void {
      flush();
      rollups.clear();
      reader.forget();
      minute = undefined;
      latestMs = undefined;
      up = undefined;
      recorder = createRecorder(seen);
      for (const event of rowsAfter(database, 0)) count(event, recorder);
      storeMinute();
    },
    /** Whether nothing was ever counted. */
    isEmpty: (): boolean => rollups.latestMinuteMs() === undefined,
  };
}

/** What happened in a span between minute edges; `up`: the stretch that goes on, until `nowMs`. */
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

/** A recorder that knows what one that had counted all along would know: actions that have not ended, and the latest requests. */
function recallRecorder(
  database: Database,
  { seen, before }: { seen: SeenBefore; before: readonly RecordedEvent[] },
): Recorder {
  let isRecalling = true;
  const recorder = createRecorder({
    lastAtMs: (key) => (isRecalling ? undefined : seen.lastAtMs(key)),
    note: (key, atMs) => (isRecalling ? undefined : seen.note(key, atMs)),
  });
  const recentFromMs = (before[0]?.atMs ?? 0) - REPEAT_MS - MINUTE_MS;
  const nothing = emptyRollup();
  const afterSeq = seqBefore(database, { recentFromMs, needed: stillNeeded(database, before) });
  for (const event of rowsAfter(database, afterSeq)) {
    if (event.seq < (before[0]?.seq ?? 0)) recorder.note(event, nothing);
  }
  isRecalling = false;
  return recorder;
}

/** The ids of actions and plans that have not ended, or that the events are about; `oldestMs`: when the first of them began. */
type Needed = { ids: Set<string>; oldestMs: number };

function stillNeeded(database: Database, events: readonly RecordedEvent[]): Needed {
  const rows = database
    .prepare(
      `SELECT id, created_at_ms AS atMs FROM actions
       WHERE status IN ('awaiting_confirmation', 'queued', 'running') OR id IN (SELECT value FROM json_each(:actions))
       UNION ALL
       SELECT c.id, c.created_at_ms FROM tasks t JOIN confirmations c ON c.task_id = t.id WHERE t.finished_at_ms IS NULL
       UNION ALL
       SELECT id, created_at_ms FROM confirmations
       WHERE task_id IS NOT NULL AND id IN (SELECT value FROM json_each(:confirmations))`,
    )
    .all({
      actions: JSON.stringify(events.flatMap(({ actionId }) => actionId ?? [])),
      confirmations: JSON.stringify(events.flatMap(({ confirmationId }) => confirmationId ?? [])),
    }) as { id: string; atMs: number }[];
  return {
    ids: new Set(rows.map(({ id }) => id)),
    oldestMs: rows.reduce((oldest, { atMs }) => Math.min(oldest, atMs), Number.POSITIVE_INFINITY),
  };
}

/**
 * The sequence number of a row after which all is that is needed: where each id begins, and what is recent. Times alone do not say
 * it, since the clock may have been set back in between; a day before, the search for what is not there ends.
 */
function seqBefore(
  database: Database,
  { recentFromMs, needed: { ids, oldestMs } }: { recentFromMs: number; needed: Needed },
): number {
  const fromMs = Math.min(oldestMs, recentFromMs);
  const backwards = database.prepare(
    'SELECT seq, at_ms, kind, action_id, confirmation_id FROM journal ORDER BY seq DESC',
  );
  for (const row of backwards.iterate() as Iterable<Omit<StoredRow, 'metadata'>>) {
    if (row.at_ms < fromMs && (ids.size === 0 || row.at_ms < fromMs - DAY_MS)) return row.seq;
    if (row.kind === 'action.requested') ids.delete(row.action_id ?? '');
    if (row.kind === 'task.plan_asked') ids.delete(row.confirmation_id ?? '');
  }
  return 0;
}

function* rowsAfter(database: Database, seq: number): Generator<JournalRow> {
  const page = database.prepare(
    `SELECT seq, at_ms, kind, user_id, device_id, action_id, confirmation_id, metadata FROM journal
     WHERE seq > ? ORDER BY seq LIMIT 1000`,
  );
  for (let last = seq; ; ) {
    const rows = page.all(last) as StoredRow[];
    yield* rows.map(fromStored);
    const next = rows.at(-1)?.seq;
    if (next === undefined) return;
    last = next;
  }
}

function createSeen(database: Database): SeenBefore & { prune(beforeMs: number): void } {
  const get = database.prepare('SELECT at_ms FROM guardian_seen WHERE key = ?');
  const put = database.prepare('INSERT OR REPLACE INTO guardian_seen (key, at_ms) VALUES (?, ?)');
  const end = database
    .prepare(`SELECT key FROM guardian_seen WHERE key > ? ORDER BY key LIMIT 1 OFFSET ${SEEN_BATCH}`)
    .pluck();
  const prune = database.prepare('DELETE FROM guardian_seen WHERE key > ? AND key <= ? AND at_ms < ?');
  let prunedUpTo = '';
  return {
    lastAtMs: (key) => (get.get(key) as { at_ms: number } | undefined)?.at_ms,
    note: (key, atMs) => void put.run(key, atMs),
    /** Looks at some thousand of them, the next time at those that follow. */
    prune(beforeMs) {
      const upTo = end.get(prunedUpTo) as string | undefined;
      prune.run(prunedUpTo, upTo ?? LAST_KEY, beforeMs);
      prunedUpTo = upTo ?? '';
    },
  };
}
