import type { MetricType, Trend } from '../../contract/guardian.ts';
import { evidenceOf, inspect } from './evidence.ts';
import type { Facts, Request } from './facts.ts';
import { type Finding, seconds } from './finding.ts';
import { onsetSentence, toldOnset } from './metric-onset.ts';

const MEASURES = [
  { metricType: 'action_latency_p95', what: 'actions' },
  { metricType: 'task_duration_p95', what: 'tasks' },
] as const;

type Measure = (typeof MEASURES)[number];

/** Actions or tasks take longer than usual: an open trend says so, or the detector, which needs less time. */
export function latencyRegression(facts: Facts): Finding[] {
  return MEASURES.flatMap((measure) => {
    const [trend, onset] = [fromTrend(measure, facts), fromOnset(measure, facts)];
    const isOnsetWorse = trend?.severity === 'info' && onset?.severity === 'warning';
    return (isOnsetWorse ? onset : (trend ?? onset)) ?? [];
  });
}

function fromTrend(measure: Measure, { trends, requests }: Facts): Finding | undefined {
  const trend = farthest(trends, measure.metricType);
  const { current = null, baseline } = trend ?? {};
  if (trend === undefined || current === null || baseline === undefined || baseline.median === null) return undefined;
  return finding(measure, {
    severity: trend.severity,
    title: titleOf(measure, { value: current, usual: baseline.median }),
    detail: `Over ${trend.window}, compared with ${baseline.windows} such times before. Waiting for a person is left out.`,
    slow: requests.filter(isSlow(baseline.median, measure.what)),
  });
}

function fromOnset(measure: Measure, facts: Facts): Finding | undefined {
  const told = toldOnset(facts, measure.metricType);
  if (told === undefined) return undefined;
  return finding(measure, {
    severity: told.severity,
    title: titleOf(measure, told.onset),
    detail: `${onsetSentence(told.onset)} Waiting for a person is left out.`,
    slow: facts.requests.filter(isSlow(told.onset.usual, measure.what)),
  });
}

function titleOf({ what }: Measure, { value, usual }: { value: number; usual: number }): string {
  return `95 of 100 ${what} end within ${seconds(value)}, usually within ${seconds(usual)}`;
}

function finding(
  { metricType }: Measure,
  { slow, ...told }: Pick<Finding, 'severity' | 'title' | 'detail'> & { slow: Request[] },
): Finding {
  return {
    subject: `latency_regression ${metricType}`,
    category: 'performance',
    ...told,
    metricTypes: [metricType],
    evidence: evidenceOf(slow),
    ...inspect(slow),
  };
}

/** The open worsening trend with the largest z-score. */
function farthest(trends: readonly Trend[], metricType: MetricType): Trend | undefined {
  return trends
    .filter((trend) => trend.metricType === metricType && trend.openedAt !== null && trend.effect === 'worsening')
    .toSorted((one, other) => Math.abs(other.zScore ?? 0) - Math.abs(one.zScore ?? 0))[0];
}

/** A slow task need not have a slow action. */
function isSlow(usualMs: number, what: 'actions' | 'tasks'): (request: Request) => boolean {
  return ({ durationMs, taskId }) => (what === 'tasks' ? taskId !== null : durationMs !== null && durationMs > usualMs);
}
