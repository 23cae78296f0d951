import { measure } from '../recording/metrics.ts';
import { failureSentence } from '../risk/control-sentences.ts';
import type { Facts } from './facts.ts';
import { counted, type Finding } from './finding.ts';

/** A control of Handrail itself failed. Breaks of the journal have a rule of their own. */
export function failedControl({ day }: Facts): Finding[] {
  const { rollup } = day;
  const failures = measure('control_violations', day).sampleSize - rollup.counters.journalBroken;
  if (failures <= 0) return [];
  return [
    {
      subject: 'failed_control',
      category: 'integrity',
      severity: 'critical',
      title: `${counted(failures, 'security check')} failed in the last day`,
      detail: `${failureSentence({ counters: { ...rollup.counters, journalBroken: 0 } })} Pause everything until you know why.`,
      metricTypes: ['control_violations'],
      evidence: [],
      action: { kind: 'inspect', label: 'Look at the latest actions', target: '/api/console/activity' },
    },
  ];
}
