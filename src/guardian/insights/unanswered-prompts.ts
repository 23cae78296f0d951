import { evidenceOf } from './evidence.ts';
import type { Facts } from './facts.ts';
import type { Finding } from './finding.ts';

const LEAST_EXPIRED = 5;

/** Prompts run out unanswered. */
export function unansweredPrompts({ day, prompts }: Facts): Finding[] {
  const { promptExpired, prompted } = day.rollup.counters;
  if (promptExpired < LEAST_EXPIRED || promptExpired * 2 < prompted) return [];
  // A prompt that expired within the day may have been shown before the day began.
  const all = Math.max(prompted, promptExpired);
  return [
    {
      subject: 'unanswered_prompts',
      category: 'oversight',
      severity: 'warning',
      title: `${promptExpired} of ${all} prompts expired unanswered in the last day`,
      detail: 'An expired prompt means no. You were away or did not notice, or Handrail was started again.',
      metricTypes: ['confirmation_expiry_rate'],
      evidence: evidenceOf(prompts.filter(({ status }) => status === 'expired')),
    },
  ];
}
