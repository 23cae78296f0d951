import type { MetricType } from '../../contract/guardian.ts';
import { type Limit, METRICS } from '../../contract/metrics.ts';
import { clamp } from '../statistics/statistics.ts';

/** A metric over one window, as far as its limits need it. `hoursUp`: how long the daemon ran in that window. */
export type Reading = {
  type: MetricType;
  value: number | null;
  sampleSize: number;
  hoursUp: number;
  baselineMedian: number | null;
};

/** Where worry begins and where it is complete, in the unit of the value and over the same window. */
export type Target = { green: number; red: number };

/**
 * How far a metric has gone from green, 0, to red, 1; the farthest of its limits. 0 for a metric without limits, `null` where there
 * are too few samples, or no baseline for a limit that is a multiple of it. Our own: a straight line from green to red.
 */
export function riskPosition(reading: Reading): number | null {
  const { minimumSample } = METRICS[reading.type];
  if (reading.value === null || reading.sampleSize < minimumSample) return null;
  const { value } = reading;
  const positions = countingLimits(reading).map((limit) => position(value, targetOf(limit, reading)));
  return positions.includes(null) ? null : Math.max(0, ...positions.filter((at) => at !== null));
}

/**
 * The limit that the value is beyond, or else the one it is nearest to; the first while there is no value. `null` for a metric without
 * limits, and where the limit is a multiple of a baseline there is not yet.
 */
export function nearestLimit(reading: Reading): Target | null {
  const { value } = reading;
  const [first, ...others] = countingLimits(reading).map((limit) => targetOf(limit, reading));
  if (first === undefined || first === null || value === null) return first ?? null;
  return others.reduce<Target>(
    (nearest, other) => (other !== null && beyond(value, other) > beyond(value, nearest) ? other : nearest),
    first,
  );
}

/** The limits that the sample is large enough for. */
function countingLimits({ type, sampleSize }: Reading): Limit[] {
  return METRICS[type].limits.filter(({ minimumSample = 0 }) => sampleSize >= minimumSample);
}

function position(value: number, target: Target | null): number | null {
  if (target === null) return null;
  return clamp((value - target.green) / (target.red - target.green), { from: 0, to: 1 });
}

/** How far a value is beyond green, in its unit; below 0 on the side that is good. */
function beyond(value: number, { green, red }: Target): number {
  return red > green ? value - green : green - value;
}

/** Part of an hour counts as a quarter at least; durations are compared as (value + 1 ms)/(median + 1 ms), as their z-scores are. */
function targetOf({ green, red, of }: Limit, { hoursUp, baselineMedian }: Reading): Target | null {
  if (of === 'value') return { green, red };
  if (of === 'valuePerHour') {
    const hours = Math.max(0.25, hoursUp);
    return { green: green * hours, red: red * hours };
  }
  if (baselineMedian === null) return null;
  return { green: green * (baselineMedian + 1) - 1, red: red * (baselineMedian + 1) - 1 };
}
