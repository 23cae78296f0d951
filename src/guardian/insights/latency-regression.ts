import type { MetricType, Trend } from '../../contract/guardian.ts';
import { evidenceOf, inspect } from './evidence.ts';
import type { Facts, Request } from './facts.ts';
import { type Finding, seconds, spanWords } from './finding.ts';

const MEASURES = [
  { metricType: 'action_latency_p95', what: 'actions' },
  { metricType: 'task_duration_p95', what: 'tasks' },
] as const;

type Measure = (typeof MEASURES)[number];

/** Actions or tasks take longer than usual, as an open trend that is worth a warning says. */
export function latencyRegression({ trends, requests }: Facts): Finding[] {
  return MEASURES.flatMap((measure) => {
    const trend = farthest(trends, measure.metricType);
    const { current = null, baseline } = trend ?? {};
    if (trend === undefined || current === null || baseline === undefined || baseline.median === null) return [];
    const slow = requests.filter(isSlow(baseline.median, measure.what));
    return {
      subject: `latency_regression ${measure.metricType}`,
      category: 'performance' as const,
      severity: trend.severity,
      title: titleOf(measure, { value: current, usual: baseline.median }),
      detail: `Over ${spanWords(trend.window)}, compared with ${baseline.windows} such times before. Waiting for a person is left out.`,
      metricTypes: [measure.metricType],
      evidence: evidenceOf(slow),
      ...inspect(slow),
    };
  });
}

function titleOf({ what }: Measure, { value, usual }: { value: number; usual: number }): string {
  return `The slowest 5 % of ${what} took longer than ${seconds(value)}, usually ${seconds(usual)}`;
}

/** The open worsening trend with the largest z-score. */
function farthest(trends: readonly Trend[], metricType: MetricType): Trend | undefined {
  return trends
    .filter((trend) => trend.metricType === metricType && trend.openedAt !== null && trend.effect === 'worsening')
    .filter(({ severity }) => severity !== 'info')
    .toSorted((one, other) => Math.abs(other.zScore ?? 0) - Math.abs(one.zScore ?? 0))[0];
}

/** A slow task need not have a slow action. */
function isSlow(usualMs: number, what: 'actions' | 'tasks'): (request: Request) => boolean {
  return ({ durationMs, taskId }) => (what === 'tasks' ? taskId !== null : durationMs !== null && durationMs > usualMs);
}
