import type { MetricSeries, MetricSnapshot, Trend } from '../../contract/guardian.ts';
import { METRICS, type Metric } from '../../contract/metrics.ts';
import { rounded, shownMs, shownShare } from '../rounding.ts';

/** A metric as it is answered. */
export function shownMetric(metric: MetricSnapshot): MetricSnapshot {
  const { unit, target } = metric;
  return {
    ...metric,
    value: shownIn(unit, metric.value),
    target: { ...target, green: shownIn(unit, target.green), red: shownIn(unit, target.red) },
    coverage: shownShare(metric.coverage),
  };
}

/** A point of a series as it is answered. */
export function shownPoint(
  unit: Metric['unit'],
  point: MetricSeries['points'][number],
): MetricSeries['points'][number] {
  return { ...point, value: shownIn(unit, point.value), coverage: shownShare(point.coverage) };
}

/** A usual range as it is answered. */
export function shownRange(
  unit: Metric['unit'],
  range: { low: number; high: number } | null,
): { low: number; high: number } | null {
  return range && { low: shownNumber(unit, range.low), high: shownNumber(unit, range.high) };
}

/** A trend as it is answered. */
export function shownTrend(trend: Trend): Trend {
  const { unit } = METRICS[trend.metricType];
  const { baseline, zScore, changePercent } = trend;
  return {
    ...trend,
    zScore: zScore === null ? null : rounded(zScore, 2),
    changePercent: changePercent === null ? null : rounded(changePercent, 1),
    baseline: { ...baseline, median: shownIn(unit, baseline.median) },
    current: shownIn(unit, trend.current),
  };
}

function shownIn(unit: Metric['unit'], value: number | null): number | null {
  return value === null ? null : shownNumber(unit, value);
}

function shownNumber(unit: Metric['unit'], value: number): number {
  return unit === 'ms' ? shownMs(value) : rounded(value, 4);
}
