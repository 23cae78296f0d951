import { pauseOrInspect } from './evidence.ts';
import { type Facts, HOUR_MS, MINUTE_MS, type Request } from './facts.ts';
import type { Finding } from './finding.ts';

const BURST = 60;

/** Much more at once than hands would do. */
export function burst({ nowMs, hour, requests }: Facts): Finding[] {
  const { burstPeak } = hour.rollup;
  if (burstPeak < BURST) return [];
  return [
    {
      subject: 'burst',
      category: 'safety',
      severity: burstPeak >= 2 * BURST ? 'high' : 'warning',
      title: `${burstPeak} actions requested in one minute`,
      detail: 'A program that is stuck in a loop looks like this.',
      metricTypes: ['action_burst_peak', 'action_rate'],
      ...pauseOrInspect(densestMinute(requests.filter(({ createdAtMs }) => createdAtMs > nowMs - HOUR_MS))),
    },
  ];
}

/** Most requests that came within one minute; they are given newest first. */
function densestMinute(requests: readonly Request[]): readonly Request[] {
  let densest: readonly Request[] = [];
  let end = 0;
  for (const [begin, { createdAtMs }] of requests.entries()) {
    while ((requests[end]?.createdAtMs ?? Number.NEGATIVE_INFINITY) > createdAtMs - MINUTE_MS) end += 1;
    if (end - begin > densest.length) densest = requests.slice(begin, end);
  }
  return densest;
}
