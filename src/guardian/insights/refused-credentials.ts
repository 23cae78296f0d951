import type { Facts } from './facts.ts';
import type { Finding } from './finding.ts';

const MANY_REFUSALS = 10;

/** Somebody tried keys, codes, addresses or answers that are not theirs. */
export function refusedCredentials({ day }: Facts): Finding[] {
  const { credentialRefused, placeRefused, approvalRefused, replayed, digestMismatched } = day.rollup.counters;
  const times = credentialRefused + placeRefused + approvalRefused + replayed + digestMismatched;
  if (times === 0) return [];
  return [
    {
      subject: 'refused_credentials',
      category: 'safety',
      severity: times >= MANY_REFUSALS ? 'high' : 'warning',
      title: `${times} refused attempts within a day`,
      detail: [
        `Keys and codes: ${credentialRefused}; foreign hosts and pages: ${placeRefused}; answers to prompts by others:`,
        `${approvalRefused}; answers to another state of a prompt: ${digestMismatched}; results nobody waited for: ${replayed}.`,
      ].join(' '),
      metricTypes: ['control_violations'],
      evidence: [],
    },
  ];
}
