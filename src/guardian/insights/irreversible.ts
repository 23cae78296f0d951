import { evidenceOf, inspect } from './evidence.ts';
import { type Facts, HOUR_MS } from './facts.ts';
import type { Finding } from './finding.ts';

const HIGH: readonly string[] = ['high', 'critical'];
const MANY = 15;

/** More is done that cannot be undone than a person can look after. */
export function irreversible({ nowMs, hour, requests }: Facts): Finding[] {
  const { executedIrreversible, promptAllowedElevated } = hour.rollup.counters;
  if (executedIrreversible < MANY) return [];
  const shown = requests.filter(({ createdAtMs, risk }) => createdAtMs > nowMs - HOUR_MS && HIGH.includes(risk));
  return [
    {
      subject: 'irreversible',
      category: 'safety',
      severity: 'warning',
      title: `${executedIrreversible} actions in an hour cannot be undone`,
      detail: 'Look whether you wanted all of them.',
      metricTypes: ['irreversible_executions'],
      evidence: evidenceOf(shown),
      ...inspect(shown),
      risk: {
        cause: 'irreversible_executions',
        share: 0.4,
        wasAsked: executedIrreversible <= promptAllowedElevated,
      },
    },
  ];
}
