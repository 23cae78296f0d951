import { METRIC_TYPES, type MetricType } from '../../contract/guardian.ts';
import { metricDefinition } from '../metric-types.ts';
import type { Measured } from '../metric-window.ts';
import { measure, type Recorded } from './metrics.ts';

/** All metrics over one window, in their order, as trends compare them. `coverage`: the share of it in which the daemon was up. */
export type MeasuredWindow = { fromMs: number; coverage: number; measured: readonly (Measured | null)[] };

/** A window in which nothing happened is a 0 for counts, and says nothing of shares; one in which the daemon was down says nothing. */
export function measuredWindow(fromMs: number, recorded: Recorded): MeasuredWindow {
  const { upTime, lengthMs } = recorded;
  const coverage = Math.min(1, upTime.upMs / lengthMs);
  if (upTime.upMs === 0) return { fromMs, coverage, measured: NOTHING };
  return { fromMs, coverage, measured: METRIC_TYPES.map((type) => measuredOf(type, recorded)) };
}

const NOTHING = METRIC_TYPES.map(() => null);

function measuredOf(type: MetricType, recorded: Recorded): Measured | null {
  const { kind, unit } = metricDefinition(type);
  const { value, sampleSize } = measure(type, recorded);
  if (kind === 'count') return { kind, value: value ?? 0, count: unit === '/h' ? sampleSize : (value ?? 0) };
  if (value === null) return null;
  return kind === 'ratio' ? { kind, value, hits: Math.round(value * sampleSize), total: sampleSize } : { kind, value };
}
