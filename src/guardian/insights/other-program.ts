import { evidenceOf, inspect } from './evidence.ts';
import type { Facts } from './facts.ts';
import { type Finding, REQUESTER } from './finding.ts';

/** The program is looked up when a request has come, and stored this much later at most. */
const SAME_REQUEST_MS = 60_000;
const HIGH: readonly string[] = ['high', 'critical'];

/**
 * A requester's name is used by a program that never used it before. It matters more where the name has standing permissions, or
 * where high-risk requests came under it since then.
 */
export function otherProgram({ programChanges, grants, requests }: Facts): Finding[] {
  return programChanges.map((change) => {
    const { userId, now, before, atMs } = change;
    const hasGrants = grants.some((grant) => grant.userId === userId);
    const asksHighRisk = requests.some(
      (request) =>
        request.userId === userId && HIGH.includes(request.risk) && request.createdAtMs >= atMs - SAME_REQUEST_MS,
    );
    return {
      subject: `other_program ${userId} ${now}`,
      category: 'safety',
      severity: hasGrants || asksHighRisk ? 'warning' : 'info',
      title: `${REQUESTER} now asks from ${now}, before from ${before}`,
      detail:
        'Any program can call itself by this name, unless you lock the name with a key. If you did not start this program, pause the requester.',
      metricTypes: ['novel_action_share'],
      evidence: evidenceOf([change]),
      ...inspect([change]),
      userId,
    };
  });
}
