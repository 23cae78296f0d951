import { pauseOrInspect } from './evidence.ts';
import { type Facts, HOUR_MS } from './facts.ts';
import type { Finding } from './finding.ts';
import { severityOfMany } from './unusual.ts';

const FLOOD = 20;
/** Every half minute for an hour. */
const MUCH_TOO_MANY = 120;

/** More is asked than a person can answer with care. */
export function promptFlood({ nowMs, hour, prompts, trends }: Facts): Finding[] {
  const { prompted } = hour.rollup.counters;
  if (prompted < FLOOD) return [];
  return [
    {
      subject: 'prompt_flood',
      category: 'oversight',
      severity: severityOfMany(prompted, {
        tooManyForAnybody: MUCH_TOO_MANY,
        trends,
        metricType: 'confirmation_prompt_rate',
      }),
      title: `Handrail asked you ${prompted} times in an hour`,
      detail: 'Nobody reads so many with care. Pause the requester, or give grants for harmless requests.',
      metricTypes: ['confirmation_prompt_rate'],
      ...pauseOrInspect(prompts.filter(({ createdAtMs }) => createdAtMs > nowMs - HOUR_MS)),
    },
  ];
}
