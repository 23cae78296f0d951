import { isPersonsInterruption } from '../../domain/persons-answer.ts';
import { doingTheSame } from './doing-the-same.ts';
import { evidenceOf } from './evidence.ts';
import { type Facts, MINUTE_MS, type Request } from './facts.ts';
import { type Finding, REQUESTER } from './finding.ts';

const WITHIN_MS = 10 * MINUTE_MS;
const LEAST_REPEATS = 5;
const MOST_LOOPS = 5;
const IN_VAIN: readonly string[] = ['failed', 'denied', 'expired', 'blocked', 'unknown'];

/** The very same action again and again, and never to any effect. */
export function retryLoop({ nowMs, requests }: Facts): Finding[] {
  const lately = requests.filter(({ createdAtMs }) => createdAtMs > nowMs - WITHIN_MS);
  const alike = Map.groupBy(lately, ({ userId, digest }) => JSON.stringify([userId, digest]));
  return [...alike.values()]
    .filter((requests) => !requests.some(({ status }) => status === 'success'))
    .map((requests) => requests.filter(isInVain))
    .filter((inVain) => inVain.length >= LEAST_REPEATS)
    .slice(0, MOST_LOOPS)
    .map(loopOf);
}

function isInVain({ status, errorCode }: Request): boolean {
  return IN_VAIN.includes(status) && !isPersonsInterruption(errorCode);
}

function loopOf(requests: readonly Request[]): Finding {
  const [{ userId = '', actionType = '', digest = '' } = {}] = requests;
  return {
    subject: `retry_loop ${userId} ${digest}`,
    category: 'reliability',
    severity: requests.length >= 4 * LEAST_REPEATS ? 'high' : 'warning',
    title: `${REQUESTER} asked ${requests.length} times in 10 minutes to ${doingTheSame(actionType)}, in vain`,
    detail: 'It tries again although nothing has changed. Pause it, or look at how the latest request ended.',
    metricTypes: ['action_retry_rate'],
    evidence: evidenceOf(requests),
    action: { kind: 'pause_requester', label: `Pause ${REQUESTER}`, target: REQUESTER },
    userId,
  };
}
