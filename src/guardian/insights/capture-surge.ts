import { isCapture } from '../../domain/catalogue.ts';
import { pauseOrInspect } from './evidence.ts';
import { type Facts, HOUR_MS } from './facts.ts';
import type { Finding } from './finding.ts';
import { severityOfMany } from './unusual.ts';

const LEAST_CAPTURES = 60;
const VERY_MANY = 600;
const TIMES_USUAL = 3;

/** Requesters capture the screen much more often than usual. */
export function captureSurge({ nowMs, hour, day, requests, trends }: Facts): Finding[] {
  const { captured } = hour.rollup.counters;
  const hoursBefore = Math.max(1, (day.upTime.upMs - hour.upTime.upMs) / HOUR_MS);
  const usual = (day.rollup.counters.captured - captured) / hoursBefore;
  if (captured < LEAST_CAPTURES || captured < TIMES_USUAL * usual) return [];
  const shown = requests.filter(
    ({ actionType, createdAtMs, startedAtMs }) =>
      isCapture(actionType) && startedAtMs !== null && createdAtMs > nowMs - HOUR_MS,
  );
  return [
    {
      subject: 'capture_surge',
      category: 'privacy',
      severity: severityOfMany(captured, { tooManyForAnybody: VERY_MANY, trends, metricType: 'screen_capture_rate' }),
      title: `Your screen was captured ${captured} times in an hour, usually ${Math.round(usual)}`,
      detail: 'Each capture shows everything on your screen. Pause the program if you did not expect this.',
      metricTypes: ['screen_capture_rate'],
      ...pauseOrInspect(shown),
    },
  ];
}
