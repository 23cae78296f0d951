import type { InsightSeverity, MetricType, Trend } from '../../contract/guardian.ts';

/**
 * Whether a metric is unusually bad for this desktop. A fixed bound cannot tell: a flood for one person is a morning's work
 * for another, and a person who is warned of their usual work stops reading warnings.
 */
export function isUnusual(trends: readonly Trend[], metricType: MetricType): boolean {
  return trends.some(
    (trend) =>
      trend.metricType === metricType &&
      trend.openedAt !== null &&
      trend.severity !== 'info' &&
      trend.effect !== 'improving',
  );
}

/** How bad a high number is: a fact worth knowing, more where it is unusual here, and high where it is too much for anybody. */
export function severityOfMany(
  count: number,
  by: { tooManyForAnybody: number; trends: readonly Trend[]; metricType: MetricType },
): InsightSeverity {
  if (count >= by.tooManyForAnybody) return 'high';
  return isUnusual(by.trends, by.metricType) ? 'warning' : 'info';
}
