import type { Database } from 'better-sqlite3';
import type { Counter } from '../../contract/counters.ts';
import type { RecordedEvent } from '../../domain/journal/journal-event.ts';
import { advanceUpTime } from '../../guardian/recording/advance-uptime.ts';
import type { Recorded } from '../../guardian/recording/metrics.ts';
import { summedUp } from '../../guardian/recording/parts.ts';
import { type UpInterval, upTimeIn } from '../../guardian/recording/uptime.ts';
import { asStorageFailure } from '../database/database.ts';
import { createTransactions } from '../database/transactions.ts';
import { createCounting } from './counting.ts';
import { createCounts, totalOf } from './counts.ts';
import { createRefused } from './refused.ts';
import { createSeen } from './seen.ts';
import { type Edges, edgesOf, inputsIn, type PartOf, type PartSum, requestersIn, sumsBy } from './sums.ts';
import { COUNTS_KEPT_MS, DAY_MS, floorTo, hoursOf, type Span } from './units.ts';
import { createUpIntervals } from './up-intervals.ts';

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
