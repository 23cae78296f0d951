import type { Database } from 'better-sqlite3';
import { COUNTERS } from '../../contract/counters.ts';
import type { LogHistogram } from '../../guardian/recording/log-histogram.ts';
import { emptyRollup, type Rollup } from '../../guardian/recording/rollup.ts';
import { storedJson } from '../database/stored-values.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, type Piece } from './rollup-pieces.ts';
import { COUNTER_COLUMNS, type RollupSpan } from './rollups.ts';

/** Rows that are kept decoded; some kilobytes each at most. */
const MOST_KEPT = 6_000;
/** A piece of more rows than this is read past what is kept. */
const MOST_OF_A_PIECE = 2_000;
/** Buckets are numbered from -1, and the largest number there is falls into the 919th. */
const BUCKETS = 1_024;
const KEY_OF_SPAN = { minute: 0, hour: 1, day: 2 } as const;
const UNIT_MS = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS } as const;

/** A histogram as pairs of bucket and count, one after the other. */
type Pairs = Float64Array;
type Packed = {
  counters: Float64Array;
  burstPeak: number;
  slowestMs: number;
  types: [actionType: string, count: number][];
  executionMs: Pairs;
  responseMs: Pairs;
  taskMs: Pairs;
};

/**
 * Sums up rollup rows, and decodes each row once: rows rarely change, and sliding windows share most of their rows.
 * `changed` reports the rows that this connection writes; rows that another connection commits are found without it.
 */
export function createRollupReader(database: Database) {
  const columns = [...COUNTER_COLUMNS, 'burst_peak', 'slowest_ms', 'types', 'execution_ms', 'response_ms', 'task_ms'];
  const between = database
    .prepare<unknown[], Columns>(
      `SELECT start_ms, ${columns.join(', ')} FROM guardian_rollups WHERE span = ? AND start_ms >= ? AND start_ms < ?`,
    )
    .raw();
  const dataVersion = database.prepare('PRAGMA data_version').pluck();
  /** By span and start; `null` where there is no row. */
  const kept = new Map<number, Packed | null>();
  let keptOf: unknown;

  function read({ span, fromMs, toMs }: Piece): Packed[] {
    const count = (toMs - fromMs) / UNIT_MS[span];
    if (count > MOST_OF_A_PIECE) return stored({ span, fromMs, toMs }).map(([, row]) => row);
    if (kept.size + count > MOST_KEPT) kept.clear();
    const starts = Array.from({ length: count }, (_, index) => fromMs + index * UNIT_MS[span]);
    const unknown = starts.filter((startMs) => !kept.has(keyOf(span, startMs)));
    keep(span, unknown);
    return starts.flatMap((startMs) => kept.get(keyOf(span, startMs)) ?? []);
  }

  function keep(span: RollupSpan, starts: readonly number[]): void {
    const [first, last] = [starts[0], starts.at(-1)];
    if (first === undefined || last === undefined) return;
    for (const startMs of starts) kept.set(keyOf(span, startMs), null);
    for (const [startMs, row] of stored({ span, fromMs: first, toMs: last + 1 })) kept.set(keyOf(span, startMs), row);
  }

  function stored({ span, fromMs, toMs }: Piece): [startMs: number, row: Packed][] {
    return between.all(span, fromMs, toMs).map(([startMs, ...row]) => [Number(startMs), packed(row)]);
  }

  return {
    sum(pieces: readonly Piece[]): Rollup {
      const version = dataVersion.get();
      if (version !== keptOf) kept.clear();
      keptOf = version;
      return summedUp(pieces.flatMap(read));
    },
    /** A row was written by this connection. */
    changed: (span: RollupSpan, startMs: number): void => void kept.delete(keyOf(span, startMs)),
    /** Many rows were removed by this connection. */
    forget: (): void => kept.clear(),
  };
}

/** Spans begin with a minute, so a number below that tells hours and days apart. */
function keyOf(span: RollupSpan, startMs: number): number {
  return startMs + KEY_OF_SPAN[span];
}

type Columns = (number | string)[];

function packed(columns: Columns): Packed {
  const [burstPeak, slowestMs, types, ...histograms] = columns.slice(COUNTERS.length);
  const [executionMs, responseMs, taskMs] = histograms.map((text) => pairsOf(String(text)));
  const none = new Float64Array();
  return {
    counters: Float64Array.from(columns.slice(0, COUNTERS.length), Number),
    burstPeak: Number(burstPeak),
    slowestMs: Number(slowestMs),
    types: Object.entries(storedJson<Rollup['types']>(String(types))),
    executionMs: executionMs ?? none,
    responseMs: responseMs ?? none,
    taskMs: taskMs ?? none,
  };
}

function pairsOf(text: string): Pairs {
  const pairs: number[] = [];
  for (const [bucket, count] of Object.entries(storedJson<LogHistogram>(text))) pairs.push(Number(bucket), count);
  return Float64Array.from(pairs);
}

function summedUp(rows: readonly Packed[]): Rollup {
  const sum = emptyRollup();
  const counters = new Float64Array(COUNTERS.length);
  for (const row of rows) {
    for (let index = 0; index < counters.length; index += 1)
      counters[index] = (counters[index] ?? 0) + (row.counters[index] ?? 0);
    sum.burstPeak = Math.max(sum.burstPeak, row.burstPeak);
    sum.slowestMs = Math.max(sum.slowestMs, row.slowestMs);
    for (const [type, count] of row.types) sum.types[type] = (sum.types[type] ?? 0) + count;
  }
  for (const [index, counter] of COUNTERS.entries()) sum.counters[counter] = counters[index] ?? 0;
  return {
    ...sum,
    executionMs: summedHistogram(rows.map((row) => row.executionMs)),
    responseMs: summedHistogram(rows.map((row) => row.responseMs)),
    taskMs: summedHistogram(rows.map((row) => row.taskMs)),
  };
}

function summedHistogram(histograms: readonly Pairs[]): LogHistogram {
  const counts = new Float64Array(BUCKETS);
  let last = -1;
  for (const pairs of histograms) {
    for (let index = 0; index < pairs.length; index += 2) {
      const place = (pairs[index] ?? 0) + 1;
      counts[place] = (counts[place] ?? 0) + (pairs[index + 1] ?? 0);
      if (place > last) last = place;
    }
  }
  const sum: LogHistogram = {};
  for (let place = 0; place <= last; place += 1) {
    const count = counts[place] ?? 0;
    if (count > 0) sum[place - 1] = count;
  }
  return sum;
}
