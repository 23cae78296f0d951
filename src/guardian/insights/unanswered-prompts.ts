import { evidenceOf } from './evidence.ts';
import type { Facts } from './facts.ts';
import type { Finding } from './finding.ts';

const LEAST_EXPIRED = 5;

/** Prompts run out unanswered. */
export function unansweredPrompts({ day, prompts }: Facts): Finding[] {
  const { promptExpired, prompted } = day.rollup.counters;
  if (promptExpired < LEAST_EXPIRED || promptExpired * 2 < prompted) return [];
  // What ran out within the day may have been asked before it.
  const all = Math.max(prompted, promptExpired);
  return [
    {
      subject: 'unanswered_prompts',
      category: 'oversight',
      severity: 'warning',
      title: `${promptExpired} of ${all} prompts within a day were not answered`,
      detail: 'What nobody answers counts as no. Either nobody is there, or the call for them is not noticed.',
      metricTypes: ['confirmation_expiry_rate'],
      evidence: evidenceOf(prompts.filter(({ status }) => status === 'expired')),
    },
  ];
}
