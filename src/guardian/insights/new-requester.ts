import { evidenceOf, inspect } from './evidence.ts';
import { type Facts, LOOKED_AT } from './facts.ts';
import { counted, type Finding, REQUESTER } from './finding.ts';

const MANY = 5;

/** Requesters that never asked before. Many of them are told of together. */
export function newRequester(facts: Facts): Finding[] {
  return facts.newRequesters.length > MANY
    ? [manyNew(facts)]
    : facts.newRequesters.flatMap(({ userId }) => oneNew(userId, facts));
}

/** A requester that has only registered a device so far gives no insight. */
function oneNew(userId: string, { requests }: Facts): Finding[] {
  const shown = requests.filter((request) => request.userId === userId);
  const isAll = requests.length < LOOKED_AT.requests;
  if (shown.length === 0 && isAll) return [];
  // Among very many requests its own may be too old to be looked at.
  const soFar = shown.length === 0 ? '' : `, ${isAll ? '' : 'at least '}${counted(shown.length, 'request')} so far`;
  const finding: Finding = {
    subject: `new_requester ${userId}`,
    category: 'safety',
    severity: 'info',
    title: `New requester: ${REQUESTER}${soFar}`,
    detail:
      'It first asked in the last day. Any program that knows this name can use it, unless you lock the name with a key.',
    metricTypes: ['novel_action_share'],
    evidence: evidenceOf(shown),
    ...inspect(shown),
    userId,
  };
  return [finding];
}

function manyNew({ newRequesters, requests }: Facts): Finding {
  const ids = new Set(newRequesters.map(({ userId }) => userId));
  const isAll = newRequesters.length < LOOKED_AT.newRequesters;
  const shown = requests.filter(({ userId }) => ids.has(userId));
  return {
    subject: 'new_requesters',
    category: 'safety',
    severity: 'warning',
    title: `${isAll ? '' : 'At least '}${newRequesters.length} new requesters in a day`,
    detail: 'Any program can make up names. One that makes up many gets around what you set for one.',
    metricTypes: ['novel_action_share', 'action_rate'],
    evidence: evidenceOf(shown),
    // A pause of one name stops none of the others, and the one with most requests may well be the person's own.
    ...inspect(shown),
  };
}
