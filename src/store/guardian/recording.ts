import type { Database } from 'better-sqlite3';
import type { Counter } from '../../contract/counters.ts';
import type { RecordedEvent } from '../../domain/journal/journal-event.ts';
import { advanceUpTime } from '../../guardian/recording/advance-uptime.ts';
import type { Recorded } from '../../guardian/recording/metrics.ts';
import type { UpInterval } from '../../guardian/recording/uptime.ts';
import { asStorageFailure } from '../database/database.ts';
import { createTransactions } from '../database/transactions.ts';
import { createCounting } from './counting.ts';
import { createParts, type PartOf, type PartSum } from './parts.ts';
import { ROLLUPS_KEPT_MS, readRecorded } from './read-recorded.ts';
import { createRefused } from './refused.ts';
import { createRollupEdges, type Edges } from './rollup-edges.ts';
import { DAY_MS } from './rollup-pieces.ts';
import { createRollupReader } from './rollup-reader.ts';
import { createRollupTable, type Span } from './rollups.ts';
import { createSeen } from './seen.ts';

/** How many events are counted at once: one alone takes several times as long, and an action waits for all that it counts. */
const COUNTED_TOGETHER = 10;

const EVER: Span = { fromMs: Number.MIN_SAFE_INTEGER, toMs: Number.MAX_SAFE_INTEGER };

export type Recording = ReturnType<typeof createRecording>;

/**
 * Counts every event of the journal into rollups and their parts. Intervals of up-time and refused requests are stored with the
 * event, everything else within a second, and before anybody reads it. All that is remembered can be read again.
 */
export function createRecording(database: Database) {
  const tables = createTables(database);
  const { reader, rollups, refused, parts } = tables;
  const counting = createCounting(database, tables);
  const firstAndLast = createRollupEdges(database);
  let pending: RecordedEvent[] = [];
  let up: UpInterval | undefined;

  function storeWithEvent(event: RecordedEvent): void {
    refused.note(event);
    const advanced = advanceUpTime(up, event);
    up = advanced.current;
    for (const interval of advanced.changed) rollups.putInterval(interval);
  }

  const count = (): void => counting.count(pending.splice(0));

  function storeNow(): void {
    count();
    counting.store();
  }
  const isBehind = () => pending.length > 0 || counting.isBehind();
  const settle = createSettle(database, { counting, isBehind, storeNow });

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
      rollups.putInterval(up);
    },
    /**
     * The recorded events of a span between minute edges. A running daemon counts as up until `nowMs`, even if nothing
     * happens.
     */
    recorded(span: Span, nowMs: number): Recorded {
      settle();
      return readRecorded({ rollups, reader }, { span, up, nowMs });
    },
    /** Where the refused requests of a span came from. */
    refusedSources: refused.sourcesBetween,
    /** Sums of counters by requester, type or device, over a span between minute edges. */
    parts(span: Span, by: PartOf, of: Parameters<typeof parts.sums>[2]): PartSum[] {
      settle();
      return parts.sums(span, by, of);
    },
    /** Counts of each requester over a span between minute edges, by action type. */
    requesters(span: Span): ReturnType<typeof parts.requesters> {
      settle();
      return parts.requesters(span);
    },
    /** The clicks and keys of each requester in the hours of a span. */
    inputsByHour(span: Span): ReturnType<typeof parts.inputsByHour> {
      settle();
      return parts.inputsByHour(span);
    },
    /** When some counters of a span were first and last above 0. */
    firstAndLast(counters: readonly Counter[], span: Span): Edges | undefined {
      settle();
      return firstAndLast(counters, span);
    },
    /** Removes rows whose time to be kept is over; only inside a write transaction. */
    prune(nowMs: number): void {
      storeNow();
      prune(tables, nowMs);
    },
    /** Counts the whole journal anew; only inside a write transaction. */
    rebuild(): void {
      pending = [];
      const known = rollups.intervals(EVER);
      clear(tables);
      up = undefined;
      counting.recount(storeWithEvent);
      up = keepKnownEnds(rollups, known, up);
    },
    /** Whether nothing was ever counted. */
    isEmpty: (): boolean => rollups.latestMinuteMs() === undefined,
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
    parts: createParts(database),
  };
}

function clear({ rollups, refused, parts, reader }: Tables): void {
  rollups.clear();
  refused.clear();
  parts.clear();
  reader.forget();
}

function prune({ rollups, seen, refused, parts }: Tables, nowMs: number): void {
  for (const span of ['minute', 'hour', 'day'] as const) {
    rollups.prune(span, nowMs - ROLLUPS_KEPT_MS[span]);
    parts.prune(span, nowMs - ROLLUPS_KEPT_MS[span]);
  }
  rollups.pruneIntervals(nowMs - ROLLUPS_KEPT_MS.day);
  seen.prune(nowMs - 29 * DAY_MS);
  refused.prune(nowMs);
}
