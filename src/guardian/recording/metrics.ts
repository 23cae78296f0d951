import type { Counter } from '../../contract/counters.ts';
import type { MetricType } from '../../contract/guardian.ts';
import { METRIC_TYPES, METRICS } from '../../contract/metrics.ts';
import { histogramQuantile, type LogHistogram, type Rollup, sizeOfHistogram } from './rollup.ts';
import type { UpTime } from './uptime.ts';

/** A metric over a span; `null` where it has fewer samples than it needs. Values in the metric's unit. */
export type MetricValue = { type: MetricType; value: number | null; sampleSize: number };

/** The recorded events of a span, the length of the span, and how long the daemon was up in it. */
export type Recorded = { rollup: Rollup; upTime: UpTime; lengthMs: number };

type Raw = { value: number; sampleSize: number };
type Formula = (recorded: Recorded) => Raw;

const HOUR_MS = 3_600_000;
const LEAST_HOURS = 0.25;

/** The metrics that are more than their counts: definitions of our own. */
const FORMULAS: Partial<Record<MetricType, Formula>> = {
  action_burst_peak: ({ rollup }) => ({ value: rollup.burstPeak, sampleSize: times('action_burst_peak', rollup) }),
  action_diversity: ({ rollup }) => ({
    value: entropyBits(Object.values(rollup.types)),
    sampleSize: rollup.counters.requested,
  }),
  action_latency_p95: quantileOf('executionMs', 0.95),
  task_duration_p95: quantileOf('taskMs', 0.95),
  confirmation_response_p50: quantileOf('responseMs', 0.5),
  device_readiness: ({ upTime }) => ({
    value: upTime.readyMs / upTime.unlockedMs,
    sampleSize: Math.floor(upTime.unlockedMs / 1000),
  }),
};

/** All 23, in their order. Nothing is said of a span in which the daemon was never up. */
export function measureAll(recorded: Recorded): MetricValue[] {
  return METRIC_TYPES.map((type) => measure(type, recorded));
}

export function measure(type: MetricType, recorded: Recorded): MetricValue {
  const { value, sampleSize } = FORMULAS[type]?.(recorded) ?? ofCounts(type, recorded);
  const isEnough = sampleSize >= METRICS[type].minimumSample && recorded.upTime.upMs > 0;
  return { type, value: isEnough && Number.isFinite(value) ? value : null, sampleSize };
}

/** Hours the daemon was up; less than a quarter counts as a quarter. */
export function hoursUp({ upMs }: UpTime): number {
  return Math.max(LEAST_HOURS, upMs / HOUR_MS);
}

/** Entropy of how often each of some kinds came (Shannon 1948). */
function entropyBits(counts: readonly number[]): number {
  const total = sum(counts);
  return sum(counts.map((each) => (each === 0 ? 0 : (each / total) * Math.log2(total / each))));
}

/**
 * A share, a rate or a number. An action that ends in the span may have been requested before it, so there may be more ends than
 * requests; a share is at most 1.
 */
function ofCounts(type: MetricType, { rollup, upTime }: Recorded): Raw {
  const hits = times(type, rollup);
  const { of } = METRICS[type];
  if (of !== undefined) {
    const all = sumOf(rollup, of);
    return { value: Math.min(1, hits / all), sampleSize: all };
  }
  return { value: METRICS[type].unit === '/h' ? hits / hoursUp(upTime) : hits, sampleSize: hits };
}

/** How often a metric counted something. */
function times(type: MetricType, rollup: Rollup): number {
  return sumOf(rollup, METRICS[type].hits);
}

function sumOf({ counters }: Rollup, names: readonly Counter[]): number {
  let sum = 0;
  for (const name of names) sum += counters[name];
  return sum;
}

function quantileOf(histogram: 'executionMs' | 'responseMs' | 'taskMs', share: number): Formula {
  return ({ rollup }) => {
    const values: LogHistogram = rollup[histogram];
    return { value: histogramQuantile(values, share) ?? Number.NaN, sampleSize: sizeOfHistogram(values) };
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/**
 * A metric over one window in its unit, with the counts that it is made of. `exposure`: in proportion to which counts are expected, in hours
 * the daemon was up; the same in all windows for a peak, which does not add up over time.
 */
export type Measured =
  | { kind: 'count'; value: number; count: number; exposure: number }
  | { kind: 'ratio'; value: number; hits: number; total: number }
  | { kind: 'duration' | 'gauge' | 'entropy'; value: number };

/** The most at one time, which is not in proportion to how long that time is. */
const PEAKS: readonly MetricType[] = ['action_burst_peak'];

/** A metric over one window, with the counts it is made of; `null` where there was too little of it, or the daemon was not up. */
export function measuredOf(type: MetricType, recorded: Recorded): Measured | null {
  const { kind, unit } = METRICS[type];
  const { value, sampleSize } = measure(type, recorded);
  if (value === null) return null;
  if (kind === 'count') {
    const count = unit === '/h' ? sampleSize : value;
    return { kind, value, count, exposure: PEAKS.includes(type) ? 1 : hoursUp(recorded.upTime) };
  }
  return kind === 'ratio' ? { kind, value, hits: Math.round(value * sampleSize), total: sampleSize } : { kind, value };
}
