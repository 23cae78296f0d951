import { evidenceOf } from './evidence.ts';
import type { Facts, LiveGrant } from './facts.ts';
import { type Finding, REQUESTER } from './finding.ts';

const MANY_USES = 50;
const MANY_GRANTS = 10;
const MOST = 20;

/**
 * A grant is good for one set of arguments only; it is broad all the same where it has taken the place of the person: by how much
 * it let through, or as one of many for the same kind of action.
 */
export function broadGrant(facts: Facts): Finding[] {
  const alike = Map.groupBy(facts.grants, ({ userId, actionType }) => JSON.stringify([userId, actionType]));
  return [
    ...facts.grants.filter(({ useCount }) => useCount >= MANY_USES).map((grant) => muchUsed(grant, facts)),
    ...[...alike.values()].filter((grants) => grants.length >= MANY_GRANTS).map((grants) => manyAlike(grants, facts)),
  ].slice(0, MOST);
}

function muchUsed({ id, userId, actionType, useCount }: LiveGrant, { requests }: Facts): Finding {
  return {
    subject: `broad_grant ${id}`,
    category: 'oversight',
    severity: useCount >= 2 * MANY_USES ? 'warning' : 'info',
    title: `1 grant let ${actionType} of ${REQUESTER} through ${useCount} times`,
    detail: 'Nobody was asked for any of them. Revoke it if it should be a decision again.',
    metricTypes: ['standing_grant_share'],
    evidence: evidenceOf(requests.filter(({ grantId }) => grantId === id)),
    action: { kind: 'revoke', label: 'Revoke this grant', target: id },
    userId,
  };
}

function manyAlike(grants: readonly LiveGrant[], { requests }: Facts): Finding {
  const [{ userId = '', actionType = '' } = {}] = grants;
  const ids = grants.map(({ id }) => id);
  return {
    subject: `broad_grants ${userId} ${actionType}`,
    category: 'oversight',
    severity: 'warning',
    title: `${grants.length} grants for ${actionType} of ${REQUESTER}`,
    detail: 'Each is good for one thing, and together they are good for nearly everything. Revoke what is not needed.',
    metricTypes: ['standing_grant_share'],
    evidence: evidenceOf(requests.filter(({ grantId }) => grantId !== null && ids.includes(grantId))),
    action: { kind: 'review_grants', label: 'Look at these grants', target: REQUESTER },
    userId,
  };
}
