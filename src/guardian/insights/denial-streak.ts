import { type Facts, type Finding, REQUESTER } from './finding.ts';

const STREAK = 3;

/** One requester hears nothing but no. */
export function denialStreak({ denialStreaks }: Facts): Finding[] {
  return denialStreaks
    .filter(({ denials }) => denials >= STREAK)
    .map(({ userId, denials }) => ({
      subject: `denial_streak ${userId}`,
      category: 'safety',
      severity: 'warning',
      title: `The last ${denials} prompts of ${REQUESTER} were denied`,
      detail: 'It keeps asking for what it may not have. Pause it until it is clear what it wants.',
      metricTypes: ['denied_action_share'],
      action: { kind: 'pause_requester', label: 'Pause this requester', target: REQUESTER },
      userId,
    }));
}
