import type { Facts } from './facts.ts';
import { counted, type Finding } from './finding.ts';

/** The journal can no longer be trusted. */
export function journalBreak({ day }: Facts): Finding[] {
  const { journalBroken } = day.rollup.counters;
  if (journalBroken === 0) return [];
  return [
    {
      subject: 'journal_break',
      category: 'integrity',
      severity: 'critical',
      title: `The journal failed ${counted(journalBroken, 'check')} in the last day`,
      detail:
        'A row was changed, removed or added outside of Handrail. Copy the data directory before you do anything else.',
      metricTypes: ['control_violations'],
      evidence: [],
      action: { kind: 'inspect', label: 'Check the journal', target: '/api/console/audit/verify' },
    },
  ];
}
