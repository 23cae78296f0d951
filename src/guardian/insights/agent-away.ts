import { type Facts, HOUR_MS } from './facts.ts';
import { type Finding, seconds } from './finding.ts';

const LONG_MS = 4 * HOUR_MS;

/** The agent was not ready for hours while the person could have used it. A permission that is missing is told by itself. */
export function agentAway({ day: { upTime }, missingPermissions }: Facts): Finding[] {
  const awayMs = upTime.unlockedMs - upTime.readyMs;
  if (awayMs < LONG_MS || missingPermissions.length > 0) return [];
  return [
    {
      subject: 'agent_away',
      category: 'device',
      severity: 'warning',
      title: `Handrail's agent was away for ${seconds(awayMs)} of the last day`,
      detail: 'Nothing could be done on this computer in that time.',
      metricTypes: ['device_readiness'],
      evidence: [],
      action: { kind: 'inspect', label: 'Look at the state of the agent', target: '/api/console/status' },
    },
  ];
}
