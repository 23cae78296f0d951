import type { InsightSeverity, MetricType, Trend } from '../../contract/guardian.ts';

/**
 * Whether a metric goes where this desktop did not go before, and not for the better. A fixed bound alone says nothing of the kind:
 * what is a flood for one person is a morning's work for another, and whoever is warned of their usual work stops listening.
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
