import { METRIC_TYPES, type MetricType } from '../../contract/guardian.ts';
import { metricDefinition } from '../metrics/metric-types.ts';
import type { Measured } from '../metrics/metric-window.ts';
import { hoursUp, measure, type Recorded } from './metrics.ts';

/** All metrics over one window, in their order, as trends compare them. `upMs`: how long the daemon was up in it. */
export type MeasuredWindow = { fromMs: number; upMs: number; measured: readonly (Measured | null)[] };

/** A window in which nothing happened is a 0 for counts, and says nothing of shares; one in which the daemon was down says nothing. */
export function measuredWindow(fromMs: number, recorded: Recorded): MeasuredWindow {
  const { upMs } = recorded.upTime;
  if (upMs === 0) return { fromMs, upMs, measured: NOTHING };
  return { fromMs, upMs, measured: METRIC_TYPES.map((type) => measuredOf(type, recorded)) };
}

const NOTHING = METRIC_TYPES.map(() => null);

/** The most at one time, which is not in proportion to how long that time is. */
const PEAKS: readonly MetricType[] = ['action_burst_peak'];

/** A metric over one window, with the counts it is made of; `null` where there was too little of it. */
export function measuredOf(type: MetricType, recorded: Recorded): Measured | null {
  const { kind, unit } = metricDefinition(type);
  const { value, sampleSize } = measure(type, recorded);
  if (kind === 'count')
    return {
      kind,
      value: value ?? 0,
      count: unit === '/h' ? sampleSize : (value ?? 0),
      exposure: PEAKS.includes(type) ? 1 : hoursUp(recorded.upTime),
    };
  if (value === null) return null;
  return kind === 'ratio' ? { kind, value, hits: Math.round(value * sampleSize), total: sampleSize } : { kind, value };
}
