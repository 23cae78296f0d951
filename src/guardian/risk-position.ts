import type { MetricType } from '../contract/guardian.ts';
import { type Limit, metricDefinition } from './metric-types.ts';
import { clamp } from './statistics.ts';

/** A metric over one window, as far as its limits need it. `hoursUp`: how long the daemon ran in that window. */
export type Reading = {
  type: MetricType;
  value: number | null;
  sampleSize: number;
  hoursUp: number;
  baselineMedian: number | null;
};

/**
 * How far a metric has gone from green, 0, to red, 1; the farthest of its limits. 0 for a metric without limits, `null` where there
 * are too few samples, or no baseline for a limit that is a multiple of it.
 */
export function riskPosition(reading: Reading): number | null {
  const { limits, minimumSample } = metricDefinition(reading.type);
  if (reading.value === null || reading.sampleSize < minimumSample) return null;
  const { value } = reading;
  const counting = limits.filter((limit) => reading.sampleSize >= (limit.minimumSample ?? 0));
  const positions = counting.map((limit) => position(measured(value, limit, reading), limit));
  return positions.includes(null) ? null : Math.max(0, ...positions.filter((at) => at !== null));
}

function position(value: number | null, { green, red }: Limit): number | null {
  return value === null ? null : clamp((value - green) / (red - green), { from: 0, to: 1 });
}

/** Part of an hour counts as a quarter at least; durations are compared as (value + 1 ms)/(median + 1 ms), as their z-scores are. */
function measured(value: number, { of }: Limit, { hoursUp, baselineMedian }: Reading): number | null {
  if (of === 'value') return value;
  if (of === 'valuePerHour') return value / Math.max(0.25, hoursUp);
  return baselineMedian === null ? null : (value + 1) / (baselineMedian + 1);
}
