import { doing } from '../../contract/doing.ts';
import { DAY_MS, type Facts } from './facts.ts';
import { type Finding, REQUESTER } from './finding.ts';

const STALE_DAYS = 14;
const MOST = 20;

/** Names grants that still hold, though no action used them for two weeks. */
export function staleGrant({ nowMs, grants }: Facts): Finding[] {
  const longUnused = grants.flatMap(({ id, userId, actionType, createdAtMs, lastUsedAtMs }) => {
    const days = Math.floor((nowMs - (lastUsedAtMs ?? createdAtMs)) / DAY_MS);
    if (days < STALE_DAYS) return [];
    const finding: Finding = {
      subject: `stale_grant ${id}`,
      category: 'oversight',
      severity: 'info',
      title: `${REQUESTER} has not used its grant to ${doing(actionType)} for ${days} days`,
      detail: 'It ends after 30 days without use. Revoke it now if it is not needed.',
      metricTypes: ['standing_grant_share'],
      evidence: [],
      action: { kind: 'revoke', label: 'Revoke this grant', target: id },
      userId,
    };
    return [finding];
  });
  return longUnused.slice(0, MOST);
}
