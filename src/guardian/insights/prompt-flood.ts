import { pauseOrInspect } from './evidence.ts';
import { type Facts, HOUR_MS } from './facts.ts';
import type { Finding } from './finding.ts';

const FLOOD = 20;
/** Every half minute for an hour: too much for anybody. Less is a fact, since a busy desktop asks that often. */
const MUCH_TOO_MANY = 120;

/** More is asked than a person can answer with care. */
export function promptFlood({ nowMs, hour, prompts }: Facts): Finding[] {
  const { prompted } = hour.rollup.counters;
  if (prompted < FLOOD) return [];
  return [
    {
      subject: 'prompt_flood',
      category: 'oversight',
      severity: prompted >= MUCH_TOO_MANY ? 'high' : 'info',
      title: `Handrail asked you ${prompted} times in an hour`,
      detail: 'Nobody reads so many with care. Pause the requester, or give grants for harmless requests.',
      metricTypes: ['confirmation_prompt_rate'],
      ...pauseOrInspect(prompts.filter(({ createdAtMs }) => createdAtMs > nowMs - HOUR_MS)),
    },
  ];
}
