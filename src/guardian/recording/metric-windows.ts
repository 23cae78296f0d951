import type { MetricType } from '../../contract/guardian.ts';
import { metricDefinition } from '../metric-types.ts';
import type { Measured, MetricWindow } from '../metric-window.ts';
import { measure, type Recorded } from './metrics.ts';

/** A metric over a window, as trends compare it. An hour in which nothing happened is a 0 for counts, and says nothing of shares. */
export function metricWindow(type: MetricType, fromMs: number, recorded: Recorded): MetricWindow {
  const { upTime, lengthMs } = recorded;
  return { fromMs, coverage: Math.min(1, upTime.upMs / lengthMs), measured: measuredOf(type, recorded) };
}

function measuredOf(type: MetricType, recorded: Recorded): Measured | null {
  const { kind, unit } = metricDefinition(type);
  const { value, sampleSize } = measure(type, recorded);
  if (recorded.upTime.upMs === 0) return null;
  if (kind === 'count') return { kind, value: value ?? 0, count: unit === '/h' ? sampleSize : (value ?? 0) };
  if (value === null) return null;
  return kind === 'ratio' ? { kind, value, hits: Math.round(value * sampleSize), total: sampleSize } : { kind, value };
}
