import type { Facts, Finding } from './finding.ts';

/** What is not low risk was allowed before it can have been thought about. */
export function hastyApproval({ day }: Facts): Finding[] {
  const { promptAllowedHastily: hasty, promptAllowedElevated: all } = day.rollup.counters;
  if (hasty === 0) return [];
  return [
    {
      subject: 'hasty_approval',
      category: 'oversight',
      severity: hasty >= 5 && hasty / all >= 0.5 ? 'high' : 'warning',
      title: `${hasty} of ${all} approvals above low risk within 2 s`,
      detail: 'They were allowed less than two seconds after they could be. Hold on before the next one.',
      metricTypes: ['hasty_approval_share'],
    },
  ];
}
