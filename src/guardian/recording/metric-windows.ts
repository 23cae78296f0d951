import type { MetricType } from '../../contract/guardian.ts';
import { METRICS } from '../../contract/metrics.ts';
import { hoursUp, measure, type Recorded } from './metrics.ts';

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
