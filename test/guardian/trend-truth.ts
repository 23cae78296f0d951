import { effectOf } from '../../src/guardian/metrics/effect.ts';
import { metricDefinition } from '../../src/guardian/metrics/metric-types.ts';
import { shiftOf } from '../../src/guardian/statistics/ewma.ts';
import { isActive, type Trend } from '../../src/guardian/trends/trend.ts';
import type { Classification } from '../../src/guardian/trends/trend-classification.ts';
import type { TrendState } from '../../src/guardian/trends/trend-state.ts';

const CALM_Z = 1.75;
const CALM_SHIFT = 1.5;
const UP: readonly Classification[] = ['new_activity', 'shift_up', 'spike'];
const DOWN: readonly Classification[] = ['went_quiet', 'shift_down', 'drop'];

/** The sign that the name of a trend promises; 0 where it promises none. */
export function sideOf({ classification }: Pick<Trend, 'classification'>): number {
  if (UP.includes(classification)) return 1;
  return DOWN.includes(classification) ? -1 : 0;
}

/** Contradictions within a trend that is listed as active; empty for any other trend. */
export function contradictionsOf({ trend, state }: { trend: Trend; state: TrendState }): string[] {
  if (!isActive(trend)) return trend.openedAtMs === null && trend.severity === 'info' ? [] : ['open, but not active'];
  const z = trend.zScore ?? 0;
  const side = sideOf(trend);
  const isHeldByShift = trend.classification.startsWith('shift') && side * shiftOf(state.zScores) >= CALM_SHIFT;
  return [
    ...(Math.abs(z) < CALM_Z && !isHeldByShift ? [`calm: z ${z}`] : []),
    ...(side !== 0 && Math.sign(z) !== side ? [`z against the name: ${z}`] : []),
    ...(Math.sign(trend.changePercent ?? z) === Math.sign(z) ? [] : [`change against z: ${trend.changePercent}, ${z}`]),
    ...(trend.effect === effectExpected(trend) ? [] : [`effect against the change: ${trend.effect}`]),
  ].map((lie) => `${trend.metricType} in ${trend.window}, ${trend.classification}: ${lie}`);
}

function effectExpected({ metricType, baseline, current }: Trend) {
  if (baseline.median === null || current === null) return 'neutral';
  return effectOf(metricDefinition(metricType).good, { from: baseline.median, to: current });
}
