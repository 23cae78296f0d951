import { measure } from '../recording/metrics.ts';
import type { Facts, Finding } from './finding.ts';

const BURST = 60;
const LEAST_DROP = 0.2;

/** Much more at once than hands would do. */
export function burst({ hour }: Facts): Finding[] {
  const { burstPeak } = hour.rollup;
  if (burstPeak < BURST) return [];
  return [
    {
      subject: 'burst',
      category: 'safety',
      severity: burstPeak >= 2 * BURST ? 'high' : 'warning',
      title: `${burstPeak} actions requested within a minute`,
      detail: 'A loop without an end looks like this. Look at what is being requested.',
      metricTypes: ['action_burst_peak', 'action_rate'],
      action: { kind: 'inspect', label: 'Look at the latest actions', target: null },
    },
  ];
}

/** Actions fail that worked before. */
export function successDrop({ hour, day }: Facts): Finding[] {
  const now = measure('action_success_rate', hour).value;
  const usual = measure('action_success_rate', day).value;
  if (now === null || usual === null || usual - now < LEAST_DROP) return [];
  return [
    {
      subject: 'success_drop',
      category: 'reliability',
      severity: 'warning',
      title: `${percent(now)} of actions succeeded within an hour, ${percent(usual)} within a day`,
      detail: 'Something that worked has stopped working: an app, a permission or the display.',
      metricTypes: ['action_success_rate'],
      action: { kind: 'inspect', label: 'Look at what failed', target: null },
    },
  ];
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
