import { isPersonsInterruption } from '../../domain/persons-answer.ts';
import { measure } from '../recording/metrics.ts';
import { evidenceOf, inspect } from './evidence.ts';
import { type Facts, HOUR_MS } from './facts.ts';
import { type Finding, percent } from './finding.ts';
import { isUnusual } from './unusual.ts';

const LEAST_DROP = 0.2;
/** So large a drop over so many actions cannot come from one session with one broken app. */
const COLLAPSE = 0.4;
const MANY = 50;

/** Actions fail that worked before. */
export function successDrop({ nowMs, hour, day, requests, trends }: Facts): Finding[] {
  const now = measure('action_success_rate', hour).value;
  const usual = measure('action_success_rate', day).value;
  if (now === null || usual === null || usual - now < LEAST_DROP) return [];
  const { succeeded, failed: inVain } = hour.rollup.counters;
  const isCollapse = usual - now >= COLLAPSE && succeeded + inVain >= MANY;
  const failed = requests.filter(
    ({ createdAtMs, status, errorCode }) =>
      status === 'failed' && !isPersonsInterruption(errorCode) && createdAtMs > nowMs - HOUR_MS,
  );
  return [
    {
      subject: 'success_drop',
      category: 'reliability',
      severity: isCollapse || isUnusual(trends, 'action_success_rate') ? 'warning' : 'info',
      title: `${percent(now)} of actions succeeded in the last hour, ${percent(usual)} in the last day`,
      detail: 'Something that worked has stopped working: an app, a permission or the display.',
      metricTypes: ['action_success_rate'],
      evidence: evidenceOf(failed),
      ...inspect(failed),
    },
  ];
}
