import { doing } from '../../contract/doing.ts';
import type { Facts, RefusedRequests } from './facts.ts';
import { type Finding, REQUESTER } from './finding.ts';

/** Our own judgement: a program that asks this often does not take the refusal for an answer. */
const AGAIN_AND_AGAIN = 5;
const FLOOD = 100;
const MOST = 10;

/** A requester asks again and again for a capability that its device was registered without. */
export function refusedRequestsOf({ refusedRequests }: Facts): Finding[] {
  return [...Map.groupBy(refusedRequests, ({ userId }) => userId)]
    .map(([userId, ofUser]) => ({ userId, ofUser, times: sum(ofUser) }))
    .filter(({ times }) => times >= AGAIN_AND_AGAIN)
    .toSorted((one, other) => other.times - one.times)
    .slice(0, MOST)
    .map(({ userId, ofUser, times }) => findingOf(userId, times, capabilitiesIn(ofUser)));
}

function findingOf(userId: string, times: number, capabilities: string): Finding {
  return {
    subject: `refused_requests ${userId}`,
    category: 'safety',
    severity: times >= FLOOD ? 'warning' : 'info',
    title: `${REQUESTER} was refused ${times} times in a day`,
    detail: `Its device was registered without the capabilities that it asks for: ${capabilities}. Pause it, or register a device that has them.`,
    metricTypes: ['denied_action_share'],
    evidence: [],
    action: { kind: 'pause_requester', label: `Pause ${REQUESTER}`, target: REQUESTER },
    userId,
  };
}

function capabilitiesIn(refused: readonly RefusedRequests[]): string {
  return [...Map.groupBy(refused, ({ capability }) => capability)]
    .map(([capability, ofCapability]) => `${doing(capability.replace(/^can/, ''))} (${sum(ofCapability)})`)
    .join(', ');
}

function sum(refused: readonly RefusedRequests[]): number {
  return refused.reduce((total, { times }) => total + times, 0);
}
