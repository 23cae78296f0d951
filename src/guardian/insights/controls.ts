import type { Facts, Finding } from './finding.ts';

const MANY_REFUSALS = 10;

/** Somebody tried keys, codes, addresses or answers that are not theirs. */
export function refusedCredentials({ day }: Facts): Finding[] {
  const { credentialRefused, placeRefused, approvalRefused } = day.rollup.counters;
  const times = credentialRefused + placeRefused + approvalRefused;
  if (times === 0) return [];
  return [
    {
      subject: 'refused_credentials',
      category: 'safety',
      severity: times >= MANY_REFUSALS ? 'high' : 'warning',
      title: `${times} refused attempts within a day`,
      detail: `Keys and codes: ${credentialRefused}; foreign hosts and pages: ${placeRefused}; answers to prompts by others: ${approvalRefused}.`,
      metricTypes: ['control_violations'],
    },
  ];
}

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
      action: { kind: 'inspect', label: 'Check the journal', target: null },
    },
  ];
}

/** The agent cannot do what it is there for. */
export function permissionLost({ missingPermissions }: Facts): Finding[] {
  return missingPermissions.map((permission) => ({
    subject: `permission_lost ${permission}`,
    category: 'device',
    severity: 'high',
    title: `1 permission is missing: ${permission}`,
    detail: 'Actions that need it fail until it is granted in the system settings.',
    metricTypes: ['device_readiness'],
    action: { kind: 'open_settings', label: 'Open the system settings', target: permission },
  }));
}
