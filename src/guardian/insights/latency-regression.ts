import type { MetricType, Trend } from '../../contract/guardian.ts';
import { evidenceOf, inspect } from './evidence.ts';
import type { Facts, Request } from './facts.ts';
import { type Finding, seconds } from './finding.ts';

const MEASURES = [
  { metricType: 'action_latency_p95', what: 'actions' },
  { metricType: 'task_duration_p95', what: 'tasks' },
] as const;

/** Things take longer than they always did. */
export function latencyRegression({ trends, requests }: Facts): Finding[] {
  return MEASURES.flatMap(({ metricType, what }) => {
    const trend = farthest(trends, metricType);
    const { current = null, baseline } = trend ?? {};
    if (trend === undefined || current === null || baseline === undefined || baseline.median === null) return [];
    const slow = requests.filter(isSlow(baseline.median, what));
    const finding: Finding = {
      subject: `latency_regression ${metricType}`,
      category: 'performance',
      severity: trend.severity,
      title: `95 of 100 ${what} end within ${seconds(current)}, usually within ${seconds(baseline.median)}`,
      detail: `Over ${trend.window}, compared with ${baseline.windows} such times before. Waiting for a person is left out.`,
      metricTypes: [metricType],
      evidence: evidenceOf(slow),
      ...inspect(slow),
    };
    return [finding];
  });
}

/** The open trend for the worse that is the farthest from what was usual. */
function farthest(trends: readonly Trend[], metricType: MetricType): Trend | undefined {
  return trends
    .filter((trend) => trend.metricType === metricType && trend.openedAt !== null && trend.effect === 'worsening')
    .toSorted((one, other) => Math.abs(other.zScore ?? 0) - Math.abs(one.zScore ?? 0))[0];
}

/** Of a slow task no single action need be slow. */
function isSlow(usualMs: number, what: 'actions' | 'tasks'): (request: Request) => boolean {
  return ({ durationMs, taskId }) => (what === 'tasks' ? taskId !== null : durationMs !== null && durationMs > usualMs);
}
