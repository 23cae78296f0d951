import type { Facts, Finding } from './finding.ts';

const FLOOD = 20;
const LEAST_EXPIRED = 5;

/** More is asked than a person can answer with care. */
export function promptFlood({ hour }: Facts): Finding[] {
  const { prompted } = hour.rollup.counters;
  if (prompted < FLOOD) return [];
  return [
    {
      subject: 'prompt_flood',
      category: 'oversight',
      severity: prompted >= 2 * FLOOD ? 'high' : 'warning',
      title: `${prompted} prompts within an hour`,
      detail:
        'Whoever is asked this often answers without reading. Pause who asks, or allow the harmless part for longer.',
      metricTypes: ['confirmation_prompt_rate'],
      action: { kind: 'pause_requester', label: 'Pause who asks', target: null },
    },
  ];
}

/** Prompts run out unanswered. */
export function unansweredPrompts({ day }: Facts): Finding[] {
  const { promptExpired, prompted } = day.rollup.counters;
  if (promptExpired < LEAST_EXPIRED || promptExpired * 2 < prompted) return [];
  return [
    {
      subject: 'unanswered_prompts',
      category: 'oversight',
      severity: 'warning',
      title: `${promptExpired} of ${prompted} prompts within a day were not answered`,
      detail: 'What nobody answers counts as no. Either nobody is there, or the call for them is not noticed.',
      metricTypes: ['confirmation_expiry_rate'],
    },
  ];
}
