import type { Facts } from './facts.ts';
import type { Finding } from './finding.ts';

/** The record cannot be trusted any more. */
export function journalBreak({ day }: Facts): Finding[] {
  const { journalBroken } = day.rollup.counters;
  if (journalBroken === 0) return [];
  return [
    {
      subject: 'journal_break',
      category: 'integrity',
      severity: 'critical',
      title: `The journal failed ${journalBroken} of its checks within a day`,
      detail:
        'A row was changed, taken out or added outside of Handrail. Keep a copy of the data directory before anything else.',
      metricTypes: ['control_violations'],
      evidence: [],
      action: { kind: 'inspect', label: 'Check the journal', target: '/api/console/audit/verify' },
    },
  ];
}
