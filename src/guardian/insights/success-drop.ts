import { isPersonsInterruption } from '../../domain/persons-answer.ts';
import { metricDefinition } from '../metrics/metric-types.ts';
import { evidenceOf, inspect } from './evidence.ts';
import { type Facts, HOUR_MS } from './facts.ts';
import { type Finding, percent } from './finding.ts';
import { isUnusual } from './unusual.ts';

const LEAST_DROP = 0.2;
/** So large a drop over so many actions cannot come from one session with one broken app. */
const COLLAPSE = 0.4;
const MANY = 50;

const LEAST_ENDED = metricDefinition('action_success_rate').minimumSample;

/** Actions fail in the last hour that worked in the day before it. */
export function successDrop({ nowMs, hour, day, requests, trends }: Facts): Finding[] {
  const inHour = hour.rollup.counters;
  const inDay = day.rollup.counters;
  const ended = inHour.succeeded + inHour.failed;
  const endedBefore = inDay.succeeded + inDay.failed - ended;
  if (Math.min(ended, endedBefore) < LEAST_ENDED) return [];
  const now = inHour.succeeded / ended;
  const before = (inDay.succeeded - inHour.succeeded) / endedBefore;
  if (before - now < LEAST_DROP) return [];
  const isCollapse = before - now >= COLLAPSE && ended >= MANY;
  const failed = requests.filter(
    ({ createdAtMs, status, errorCode }) =>
      status === 'failed' && !isPersonsInterruption(errorCode) && createdAtMs > nowMs - HOUR_MS,
  );
  return [
    {
      subject: 'success_drop',
      category: 'reliability',
      severity: isCollapse || isUnusual(trends, 'action_success_rate') ? 'warning' : 'info',
      title: `${percent(now)} of actions succeeded in the last hour, ${percent(before)} in the day before`,
      detail: 'Something that worked has stopped working: an app, a permission or the display.',
      metricTypes: ['action_success_rate'],
      evidence: evidenceOf(failed),
      ...inspect(failed),
    },
  ];
}
