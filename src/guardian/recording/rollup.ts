import { COUNTERS, type Counter } from '../../contract/counters.ts';

/** Counts of values by logarithmic bucket; only buckets that have any. Values in whole units, 0 or more. */
export type LogHistogram = { [bucket: string]: number };

/**
 * The ratio of neighbouring bounds. It keeps the middle of a bucket within 2 % of every value in it (DDSketch, Masson et al.
 * 2019).
 */
const GAMMA = 1.02 / 0.98;
const LOG_GAMMA = Math.log(GAMMA);
/** The bucket of values without a logarithm. */
const ZERO = -1;

export function addValue(histogram: LogHistogram, value: number): void {
  const bucket = value < 1 ? ZERO : Math.ceil(Math.log(value) / LOG_GAMMA - 1e-9);
  histogram[bucket] = (histogram[bucket] ?? 0) + 1;
}

export function mergeInto(sum: LogHistogram, other: LogHistogram): void {
  for (const bucket in other) sum[bucket] = (sum[bucket] ?? 0) + (other[bucket] ?? 0);
}

export function sizeOfHistogram(histogram: LogHistogram): number {
  return Object.values(histogram).reduce((sum, count) => sum + count, 0);
}

/** The value at a rank, the ⌈share·n⌉-th smallest (Hyndman & Fan 1996, type 1), within 2 %; `null` for no values. */
export function histogramQuantile(histogram: LogHistogram, share: number): number | null {
  const buckets = Object.keys(histogram)
    .map(Number)
    .sort((one, other) => one - other);
  const rank = Math.max(1, Math.ceil(share * sizeOfHistogram(histogram)));
  let passed = 0;
  for (const bucket of buckets) {
    passed += histogram[bucket] ?? 0;
    if (passed >= rank) return bucket === ZERO ? 0 : (2 * GAMMA ** bucket) / (GAMMA + 1);
  }
  return null;
}

/** The events of a span of time, summed up. Times and histogram values are in milliseconds. */
export type Rollup = {
  counters: Record<Counter, number>;
  /** Most requests in any 60 s that end within the span. */
  burstPeak: number;
  slowestMs: number;
  /** Requests by action type. */
  types: { [actionType: string]: number };
  executionMs: LogHistogram;
  responseMs: LogHistogram;
  taskMs: LogHistogram;
};

const NO_COUNTS = Object.fromEntries(COUNTERS.map((counter) => [counter, 0])) as Record<Counter, number>;

export function emptyRollup(): Rollup {
  return {
    counters: { ...NO_COUNTS },
    burstPeak: 0,
    slowestMs: 0,
    types: {},
    executionMs: {},
    responseMs: {},
    taskMs: {},
  };
}

export function mergeRollups(rollups: Iterable<Rollup>): Rollup {
  const sum = emptyRollup();
  for (const each of rollups) {
    for (const counter of COUNTERS) sum.counters[counter] += each.counters[counter];
    sum.burstPeak = Math.max(sum.burstPeak, each.burstPeak);
    sum.slowestMs = Math.max(sum.slowestMs, each.slowestMs);
    mergeInto(sum.types, each.types);
    mergeInto(sum.executionMs, each.executionMs);
    mergeInto(sum.responseMs, each.responseMs);
    mergeInto(sum.taskMs, each.taskMs);
  }
  return sum;
}
