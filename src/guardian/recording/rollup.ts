import { COUNTERS, type Counter } from '../../contract/counters.ts';
import { type LogHistogram, mergeInto } from './log-histogram.ts';

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
