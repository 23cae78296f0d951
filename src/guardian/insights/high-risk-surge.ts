import type { MetricType, Trend } from '../../contract/guardian.ts';
import { isIrreversible } from '../../domain/catalogue.ts';
import { measure } from '../recording/metrics.ts';
import { isAllApproved } from '../risk/own-approvals.ts';
import { evidenceOf, inspect, pauseOrInspect } from './evidence.ts';
import { type Facts, HOUR_MS } from './facts.ts';
import { counted, type Finding } from './finding.ts';

/** Twice and three times the red limits of the risk, over an hour: too many on any desktop, and from the first day on. */
const MANY_HIGH_RISK = 20;
const MANY_IRREVERSIBLE = 15;
const HIGH: readonly string[] = ['high', 'critical'];

/** With a history of this desktop: two metrics in 200 hours of work a month pass it by chance once in ten years. */
const UNUSUAL_Z = 4.2;
/** The same hour of the day, and those beside it, of at least seven workdays. */
const LEAST_HOURS = 20;

/** Many actions of high risk, or without undo, were carried out within an hour. Where the person allowed each, the step is to look at them. */
export function highRiskSurge({ nowMs, hour, requests, trends }: Facts): Finding[] {
  const highRisk = measure('high_risk_executions', hour).value ?? 0;
  const irreversible = measure('irreversible_executions', hour).value ?? 0;
  const isMany =
    (highRisk >= MANY_HIGH_RISK && isUnusualHour(trends, 'high_risk_executions')) ||
    (irreversible >= MANY_IRREVERSIBLE && isUnusualHour(trends, 'irreversible_executions'));
  if (!isMany) return [];
  const shown = requests.filter(
    ({ risk, actionType, startedAtMs, createdAtMs }) =>
      (HIGH.includes(risk) || isIrreversible(actionType)) && startedAtMs !== null && createdAtMs > nowMs - HOUR_MS,
  );
  return [
    {
      subject: 'high_risk_surge',
      category: 'safety',
      severity: 'warning',
      title: titleOf(highRisk, irreversible),
      detail: 'You, a grant or a profile allowed each of them. Check that they did what you expect.',
      metricTypes: ['high_risk_executions', 'irreversible_executions'],
      ...(isAllApproved(hour) ? { evidence: evidenceOf(shown), ...inspect(shown) } : pauseOrInspect(shown)),
    },
  ];
}

function titleOf(highRisk: number, irreversible: number): string {
  if (highRisk === 0) return `${counted(irreversible, 'action')} without undo in an hour`;
  const others = irreversible === 0 ? '' : `, ${irreversible} without undo`;
  return `${counted(highRisk, 'high-risk action')} in an hour${others}`;
}

/** Whether such an hour is unusual here. In the first week or two, in which a surge would be most of the history, every hour is. */
function isUnusualHour(trends: readonly Trend[], metricType: MetricType): boolean {
  const trend = trends.find((each) => each.metricType === metricType && each.window === '1h');
  if (trend === undefined || trend.zScore === null || trend.baseline.kind !== 'seasonal') return true;
  return trend.baseline.windows < LEAST_HOURS || trend.zScore >= UNUSUAL_Z;
}
