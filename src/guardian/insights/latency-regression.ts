import type { MetricType, Trend } from '../../contract/guardian.ts';
import type { SlowOnset } from '../slow-onset.ts';
import { evidenceOf, inspect } from './evidence.ts';
import { type Facts, HOUR_MS, type Request } from './facts.ts';
import { type Finding, seconds } from './finding.ts';

const MEASURES = [
  { metricType: 'action_latency_p95', what: 'actions' },
  { metricType: 'task_duration_p95', what: 'tasks' },
] as const;
/** For so long a beginning is told by itself; what lasts is a trend by then. */
const FRESH_MS = HOUR_MS;

type Measure = (typeof MEASURES)[number];

/** Things take longer than they always did: a trend says so, or, before there can be one, the moment at which it began. */
export function latencyRegression(facts: Facts): Finding[] {
  return MEASURES.flatMap((measure) => {
    const onset = facts.slowOnsets.find(
      ({ metricType, atMs }) => metricType === measure.metricType && facts.nowMs - atMs < FRESH_MS,
    );
    return lasting(measure, facts) ?? (onset === undefined ? [] : begun(measure, onset, facts));
  });
}

function lasting(measure: Measure, { trends, requests }: Facts): Finding | undefined {
  const trend = farthest(trends, measure.metricType);
  const { current = null, baseline } = trend ?? {};
  if (trend === undefined || current === null || baseline === undefined || baseline.median === null) return undefined;
  return finding(measure, {
    severity: trend.severity,
    title: `95 of 100 ${measure.what} end within ${seconds(current)}, usually within ${seconds(baseline.median)}`,
    detail: `Over ${trend.window}, compared with ${baseline.windows} such times before. Waiting for a person is left out.`,
    slow: requests.filter(isSlow(baseline.median, measure.what)),
  });
}

/** A quarter of an hour is no more than a fact. */
function begun(measure: Measure, { atMs, durationMs, usualMs }: SlowOnset, { requests }: Facts): Finding {
  const since = new Date(atMs).toISOString();
  return finding(measure, {
    severity: 'info',
    title: `95 of 100 ${measure.what} ended within ${seconds(durationMs)}, usually within ${seconds(usualMs)}`,
    detail: `In the quarter of an hour before ${since}, for the first time in a day. Waiting for a person is left out.`,
    slow: requests.filter(isSlow(usualMs, measure.what)),
  });
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
