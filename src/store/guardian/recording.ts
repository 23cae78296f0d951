import type { Database } from 'better-sqlite3';
import type { Counter } from '../../contract/counters.ts';
import type { KnownEvent, RecordedEvent } from '../../domain/journal/journal-event.ts';
import type { Recorded } from '../../guardian/recording/metrics.ts';
import { refusedRequests } from '../../guardian/recording/other-events.ts';
import { summedUp } from '../../guardian/recording/parts.ts';
import { advanceUpTime, type UpInterval, upTimeIn } from '../../guardian/recording/uptime.ts';
import { asStorageFailure, createTransactions } from '../database/database.ts';
import { createCounting, createSeen } from './counting.ts';
import {
  createCounts,
  type Edges,
  edgesOf,
  inputsIn,
  type PartOf,
  type PartSum,
  requestersIn,
  sumsBy,
  totalOf,
} from './counts.ts';
import { COUNTS_KEPT_MS, DAY_MS, floorTo, HOUR_MS, hoursOf, type Span } from './units.ts';

/** How many events are counted at once: one alone takes several times as long, and an action waits for all that it counts. */
const COUNTED_TOGETHER = 10;

const EVER: Span = { fromMs: Number.MIN_SAFE_INTEGER, toMs: Number.MAX_SAFE_INTEGER };

export type Recording = ReturnType<typeof createRecording>;

/**
 * Counts every event of the journal. Intervals of up-time and refused requests are stored with the
 * event, everything else within a second, and before anybody reads it. All that is remembered can be read again.
 */
export function createRecording(database: Database) {
  const tables = createTables(database);
  const { counts, intervals, refused } = tables;
  const counting = createCounting(database, tables);
  let pending: RecordedEvent[] = [];
  let up: UpInterval | undefined;

  function storeWithEvent(event: RecordedEvent): void {
    refused.note(event);
    const advanced = advanceUpTime(up, event);
    up = advanced.current;
    for (const interval of advanced.changed) intervals.put(interval);
  }

  const count = (): void => counting.count(pending.splice(0));

  function storeNow(): void {
    count();
    counting.store();
  }
  const isBehind = () => pending.length > 0 || counting.isBehind();
  const settle = createSettle(database, { counting, isBehind, storeNow });

  function within(span: Span) {
    settle();
    return counts.within(span);
  }

  return {
    /** Takes in a row that was just appended. Only inside the write transaction that appended it, which ends with `flush`. */
    note(event: RecordedEvent): void {
      storeWithEvent(event);
      pending.push(event);
    },
    /** Counts the noted events if there are enough of them, or if the counts are due to be stored. Only at the end of a write transaction. */
    flush(): void {
      const latest = pending.at(-1);
      if (latest !== undefined && (pending.length >= COUNTED_TOGETHER || counting.isDue(latest.atMs))) count();
    },
    settle,
    /** Forgets the counts of a transaction that was rolled back. They are read again when they are needed. */
    rollBackTo(earlier: { seq: number; up: UpInterval | undefined }): void {
      pending = pending.filter(({ seq }) => seq <= earlier.seq);
      counting.forget();
      up = earlier.up;
    },
    upNow: (): UpInterval | undefined => up,
    /** The daemon is up at a time at which no event says so; only inside a write transaction. */
    stillUp(atMs: number): void {
      if (up === undefined || atMs <= up.toMs) return;
      up = { ...up, toMs: atMs };
      intervals.put(up);
    },
    /**
     * The recorded events of a span between minute edges. A running daemon counts as up until `nowMs`, even if nothing
     * happens.
     */
    recorded({ fromMs, toMs }: Span, nowMs: number): Recorded {
      const kept = { fromMs: Math.max(fromMs, floorTo(nowMs - COUNTS_KEPT_MS.day, DAY_MS)), toMs };
      const past = intervals.within({ fromMs, toMs }).filter(({ seq }) => seq !== up?.seq);
      const upTimes = up === undefined ? past : [...past, { ...up, toMs: Math.max(up.toMs, nowMs) }];
      return {
        rollup: summedUp(within(kept).map(totalOf)),
        upTime: upTimeIn(upTimes, kept),
        lengthMs: toMs - fromMs,
      };
    },
    /** Where the refused requests of a span came from. */
    refusedSources: refused.sourcesBetween,
    /** Sums of counters by requester, type or device, over a span between minute edges. */
    parts: (span: Span, by: PartOf, of: Parameters<typeof sumsBy>[2]): PartSum[] => sumsBy(within(span), by, of),
    /** Counts of each requester over a span between minute edges, by action type. */
    requesters: (span: Span): ReturnType<typeof requestersIn> => requestersIn(within(span)),
    /** The clicks and keys of each requester in the hours of a span. */
    inputsByHour(span: Span): ReturnType<typeof inputsIn> {
      if (inputsIn(within(span), span.fromMs).length === 0) return [];
      return hoursOf(span).flatMap((hour) => inputsIn(within(hour), hour.fromMs));
    },
    /** When some counters of a span were first and last above 0. */
    firstAndLast: (counters: readonly Counter[], span: Span): Edges | undefined => edgesOf(within(span), counters),
    /** Removes rows whose time to be kept is over; only inside a write transaction. */
    prune(nowMs: number): void {
      storeNow();
      prune(tables, nowMs);
    },
    /** Counts the whole journal anew; only inside a write transaction. */
    rebuild(): void {
      pending = [];
      const known = intervals.within(EVER);
      clear(tables);
      up = undefined;
      counting.recount(storeWithEvent);
      up = keepKnownEnds(intervals, known, up);
    },
    /** Whether nothing was ever counted. */
    isEmpty: counts.isEmpty,
  };
}

/** Stores the counts that are only in memory. On a full disk they stay unstored, and readers miss at most the last second. */
function createSettle(
  database: Database,
  {
    counting,
    isBehind,
    storeNow,
  }: { counting: ReturnType<typeof createCounting>; isBehind(): boolean; storeNow(): void },
): () => void {
  const transact = createTransactions(database);
  return () => {
    if (database.inTransaction) storeNow();
    else if (isBehind()) {
      try {
        transact(storeNow);
      } catch (error) {
        counting.forget();
        if (asStorageFailure(error) === error) throw error;
      }
    }
  };
}

/**
 * Stores how long the daemon was up after its last event, which the journal does not say. Returns the interval that is still
 * open.
 */
function keepKnownEnds(
  intervals: Tables['intervals'],
  known: readonly UpInterval[],
  current: UpInterval | undefined,
): UpInterval | undefined {
  const ends = new Map(known.map(({ seq, toMs }) => [seq, toMs]));
  const longer = (interval: UpInterval) => ({
    ...interval,
    toMs: Math.max(interval.toMs, ends.get(interval.seq) ?? 0),
  });
  for (const interval of intervals.within(EVER)) intervals.put(longer(interval));
  return current && longer(current);
}

type Tables = ReturnType<typeof createTables>;

const REQUESTS_KEPT_MS = 2 * DAY_MS;
const SOURCES_KEPT_MS = 35 * DAY_MS;
/** A web page can have any number of origins, so no more than these are told apart in an hour. */
const MOST_AN_HOUR = 100;

/** Where refused requests of one kind came from, and how often. */
type RefusedSource = { source: string; times: number };

/** Counts of refused requests beside the rollups: requesters of missing capabilities, and the sources of others. */
function createRefused(database: Database) {
  const requests = createRefusedRequestTable(database);
  const sources = createRefusedSourceTable(database);
  return {
    /** Only inside the transaction that appends the event. */
    note(event: RecordedEvent): void {
      if (event.kind !== 'request.refused') return;
      requests.note(event);
      sources.note(event);
    },
    sourcesBetween: sources.between,
    prune(nowMs: number): void {
      requests.prune(nowMs - REQUESTS_KEPT_MS);
      sources.prune(nowMs - SOURCES_KEPT_MS);
    },
    clear(): void {
      requests.clear();
      sources.clear();
    },
  };
}

/** How often each requester was refused for each missing capability, by the hour. */
function createRefusedRequestTable(database: Database) {
  const add = database.prepare(
    `INSERT INTO guardian_refused_requests (hour_ms, user_id, capability, times) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET times = times + excluded.times`,
  );
  const prune = database.prepare('DELETE FROM guardian_refused_requests WHERE hour_ms < ?');
  return {
    /** Adds the requests that an event counts, if any; only inside the transaction that appends it. */
    note(event: KnownEvent<'request.refused'>): void {
      const times = refusedRequests(event);
      if (times === 0 || event.userId === undefined) return;
      add.run(floorTo(event.atMs, HOUR_MS), event.userId, event.metadata?.capability ?? 'unknown', times);
    },
    prune: (beforeMs: number): void => void prune.run(beforeMs),
    clear: (): void => void database.exec('DELETE FROM guardian_refused_requests'),
  };
}

/** How often requests were refused, by the code of the refusal, the source that the journal names, and the hour. */
function createRefusedSourceTable(database: Database) {
  const add = database.prepare(
    `INSERT INTO guardian_refused_sources (hour_ms, code, source, times)
     SELECT :hourMs, :code, :source, :times WHERE (SELECT count(*) FROM guardian_refused_sources WHERE hour_ms = :hourMs) < ${MOST_AN_HOUR}
       OR EXISTS (SELECT 1 FROM guardian_refused_sources WHERE hour_ms = :hourMs AND code = :code AND source = :source)
     ON CONFLICT DO UPDATE SET times = times + excluded.times`,
  );
  const between = database.prepare<unknown[], RefusedSource>(
    `SELECT source, sum(times) AS times FROM guardian_refused_sources
     WHERE hour_ms >= :fromMs AND hour_ms < :toMs AND code IN (SELECT value FROM json_each(:codes))
     GROUP BY source ORDER BY times DESC, source LIMIT ${MOST_AN_HOUR}`,
  );
  const prune = database.prepare('DELETE FROM guardian_refused_sources WHERE hour_ms < ?');
  return {
    /** Adds the requests that an event counts, if it names their source; only inside the transaction that appends it. */
    note({
      atMs,
      metadata: { from: source, code = 'unknown', count: times = 1 } = {},
    }: KnownEvent<'request.refused'>): void {
      if (source !== undefined) add.run({ hourMs: floorTo(atMs, HOUR_MS), code, source, times });
    },
    /** The sources of refusals with one of some codes, in the whole hours that a span touches; most often first. */
    between: ({ fromMs, toMs }: { fromMs: number; toMs: number }, codes: readonly string[]): RefusedSource[] =>
      between.all({ fromMs: floorTo(fromMs, HOUR_MS), toMs, codes: JSON.stringify(codes) }),
    prune: (beforeMs: number): void => void prune.run(beforeMs),
    clear: (): void => void database.exec('DELETE FROM guardian_refused_sources'),
  };
}

type Stored = { seq: number; from_ms: number; to_ms: number; is_ready: 0 | 1; is_locked: 0 | 1 };

/** The intervals in which the daemon was up. */
function createUpIntervals(database: Database) {
  const put = database.prepare(
    'INSERT OR REPLACE INTO guardian_up_intervals (seq, from_ms, to_ms, is_ready, is_locked) VALUES (?, ?, ?, ?, ?)',
  );
  const prune = database.prepare('DELETE FROM guardian_up_intervals WHERE to_ms < ?');
  const between = database.prepare<unknown[], Stored>(
    'SELECT * FROM guardian_up_intervals WHERE to_ms > ? AND from_ms < ? ORDER BY seq',
  );
  return {
    put({ seq, fromMs, toMs, isReady, isLocked }: UpInterval): void {
      put.run(seq, fromMs, toMs, isReady ? 1 : 0, isLocked ? 1 : 0);
    },
    within: ({ fromMs, toMs }: Span): UpInterval[] =>
      between.all(fromMs, toMs).map((row) => ({
        seq: row.seq,
        fromMs: row.from_ms,
        toMs: row.to_ms,
        isReady: row.is_ready === 1,
        isLocked: row.is_locked === 1,
      })),
    prune: (nowMs: number): void => void prune.run(nowMs - COUNTS_KEPT_MS.day),
    clear: (): void => void database.exec('DELETE FROM guardian_up_intervals'),
  };
}

function createTables(database: Database) {
  return {
    counts: createCounts(database),
    intervals: createUpIntervals(database),
    seen: createSeen(database),
    refused: createRefused(database),
  };
}

function clear({ counts, intervals, seen, refused }: Tables): void {
  for (const table of [counts, intervals, seen, refused]) table.clear();
}

function prune({ counts, intervals, seen, refused }: Tables, nowMs: number): void {
  for (const table of [counts, intervals, refused]) table.prune(nowMs);
  seen.prune(nowMs - 29 * DAY_MS);
}
