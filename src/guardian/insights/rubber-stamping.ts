import { measure } from '../recording/metrics.ts';
import { evidenceOf, mainRequester } from './evidence.ts';
import type { Facts } from './facts.ts';
import { type Finding, REQUESTER, seconds } from './finding.ts';
import { isUnusual } from './unusual.ts';

const LEAST_APPROVALS = 20;
const SLOW_ENOUGH_MS = 3_000;
const NO_TIME_MS = 1_500;

/** Everything is allowed, and faster than it can be read. */
export function rubberStamping({ day, prompts, trends }: Facts): Finding[] {
  const { promptAllowed, promptDenied } = day.rollup.counters;
  const median = measure('confirmation_response_p50', day).value;
  if (promptAllowed < LEAST_APPROVALS || promptDenied > 0 || median === null || median >= SLOW_ENOUGH_MS) return [];
  const allowed = prompts.filter(({ status }) => status === 'allowed');
  const userId = mainRequester(allowed);
  const isQuicker = isUnusual(trends, 'confirmation_response_p50');
  const label = `Look at what ${REQUESTER} may do`;
  return [
    {
      subject: 'rubber_stamping',
      category: 'oversight',
      severity: median < NO_TIME_MS ? 'high' : isQuicker ? 'warning' : 'info',
      title: `${promptAllowed} of ${promptAllowed} approvals, median ${seconds(median)}`,
      detail: 'Within a day every prompt that was answered was allowed, faster than it can be read and understood.',
      metricTypes: ['confirmation_approval_rate', 'confirmation_response_p50'],
      evidence: evidenceOf(allowed),
      ...(userId !== undefined && { userId, action: { kind: 'review_grants', label, target: REQUESTER } }),
    },
  ];
}
