import { probabilityOfAtLeast } from '../statistics/binomial.ts';
import { evidenceOf, inspect, mostIn } from './evidence.ts';
import type { Facts } from './facts.ts';
import { type Finding, percent, REQUESTER } from './finding.ts';

/** `known`: so many effects before are needed. `chance`: how improbable so many must be by those before. Our own. */
const LIMITS = { known: 10, unseen: 4, points: 0.3, chance: 0.000_3 };

/** More and more effects of a requester cannot be seen: what it calls done may not be. */
export function unseenEffects({ effects, requests }: Facts): Finding[] {
  return effects.flatMap(({ userId, now, before }) => {
    const usual = (before.hits + 1) / (before.total + 2);
    if (before.total < LIMITS.known || now.hits < LIMITS.unseen) return [];
    if (now.hits / now.total - usual < LIMITS.points) return [];
    if (probabilityOfAtLeast(now.hits, { trials: now.total, probability: usual }) >= LIMITS.chance) return [];
    const shown = requests.filter((request) => request.userId === userId && request.status === 'success');
    const finding: Finding = {
      subject: `unseen_effects ${userId}`,
      category: 'reliability',
      severity: 'warning',
      title: `${now.hits} of ${now.total} effects of ${REQUESTER} could not be seen in 5 days, ${percent(before.hits / before.total)} before${mostIn(shown)}`,
      detail: 'It was told that these were done, and nothing shows it. Look whether they were.',
      metricTypes: ['action_success_rate'],
      evidence: evidenceOf(shown),
      ...inspect(shown),
      userId,
      risk: { cause: 'action_success_rate', share: 0.28 },
    };
    return [finding];
  });
}
