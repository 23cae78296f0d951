import { doing } from '../../contract/doing.ts';
import { evidenceOf } from './evidence.ts';
import { DAY_MS, type Facts, type LiveGrant } from './facts.ts';
import { type Finding, REQUESTER } from './finding.ts';
import { isUnusual } from './unusual.ts';

const MANY_USES = 50;
/** A grant that is used a few times a day reaches any number of uses. So many a day, on average since it was given, are a loop. */
const MANY_USES_A_DAY = 50;
const MANY_GRANTS = 10;
const MOST = 20;

/**
 * A grant is good for one set of arguments, or for the scripts of one folder. It is broad where it has taken the place of the
 * person: by how much it let through, or as one of many for the same kind of action.
 */
export function broadGrant(facts: Facts): Finding[] {
  const alike = Map.groupBy(facts.grants, ({ userId, actionType }) => JSON.stringify([userId, actionType]));
  return [
    ...facts.grants.filter(({ useCount }) => useCount >= MANY_USES).map((grant) => muchUsed(grant, facts)),
    ...[...alike.values()].filter((grants) => grants.length >= MANY_GRANTS).map((grants) => manyAlike(grants, facts)),
  ].slice(0, MOST);
}

function muchUsed(grant: LiveGrant, { nowMs, requests, trends }: Facts): Finding {
  const { id, userId, actionType, useCount, createdAtMs } = grant;
  const usesADay = useCount / Math.max(1, (nowMs - createdAtMs) / DAY_MS);
  const isLoop = useCount >= 2 * MANY_USES && usesADay >= MANY_USES_A_DAY;
  return {
    subject: `broad_grant ${id}`,
    category: 'oversight',
    severity: isLoop || isUnusual(trends, 'standing_grant_share') ? 'warning' : 'info',
    title: `${REQUESTER} used its grant to ${doing(actionType)} ${useCount} times`,
    detail: 'Handrail asked you about none of them. Revoke the grant to be asked again.',
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
    title: `${REQUESTER} has ${grants.length} grants to ${doing(actionType)}`,
    detail: 'Each allows one thing, and together they allow nearly everything. Revoke the grants that you do not need.',
    metricTypes: ['standing_grant_share'],
    evidence: evidenceOf(requests.filter(({ grantId }) => grantId !== null && ids.includes(grantId))),
    action: { kind: 'review_grants', label: 'Look at these grants', target: REQUESTER },
    userId,
  };
}
