import { doing } from '../../contract/doing.ts';
import { evidenceOf, inspect } from './evidence.ts';
import type { Facts } from './facts.ts';
import { counted, type Finding, REQUESTER } from './finding.ts';

/** Made-up user ids must not drown everything else. */
const MOST = 10;

/**
 * A requester submits a kind of dangerous action for the first time. Actions that the person approved themselves are no news
 * to them; actions that a profile or a grant allowed are.
 */
export function firstHighRiskAction({ firstHighRisk }: Facts): Finding[] {
  const alike = Map.groupBy(firstHighRisk, ({ userId, actionType }) => JSON.stringify([userId, actionType]));
  return [...alike.values()].slice(0, MOST).map((requests) => {
    const [{ userId = '', actionType = '' } = {}] = requests;
    const executed = requests.filter(({ startedAtMs }) => startedAtMs !== null);
    const isUnseen = executed.some(({ wasAllowed }) => !wasAllowed);
    return {
      subject: `first_high_risk ${userId} ${actionType}`,
      category: 'safety',
      severity: isUnseen ? 'warning' : 'info',
      title: `${REQUESTER} asked to ${doing(actionType)} for the first time, at high risk: ${counted(requests.length, 'request')}, ${executed.length} ran`,
      detail: 'It never asked for this before the last day. Check that you want it to do this.',
      metricTypes: ['high_risk_executions', 'novel_action_share'],
      evidence: evidenceOf(requests),
      ...inspect(requests),
      userId,
    } satisfies Finding;
  });
}
