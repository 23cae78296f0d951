import type { MetricOnset, OnsetMetric } from '../detector/metric-onset.ts';
import { DAY_MS, type Facts, HOUR_MS } from './facts.ts';

/** An onset that is not confirmed is told for this long. */
const FRESH_MS = HOUR_MS;
/** A confirmed one is told for this long, until it ends: a level that stays for longer is usual from then on, or a trend. */
const TOLD_MS = DAY_MS;

/** The onset of a metric that is to be told now: as a warning once it is confirmed, before that as a fact. */
export function toldOnset(
  { metricOnsets, nowMs }: Pick<Facts, 'metricOnsets' | 'nowMs'>,
  metricType: OnsetMetric,
): { onset: MetricOnset; severity: 'info' | 'warning' } | undefined {
  const onset = metricOnsets.find((each) => each.metricType === metricType);
  if (onset === undefined || onset.endedAtMs !== null) return undefined;
  const { atMs, confirmedAtMs } = onset;
  if (confirmedAtMs !== null) return nowMs - confirmedAtMs < TOLD_MS ? { onset, severity: 'warning' } : undefined;
  return nowMs - atMs < FRESH_MS ? { onset, severity: 'info' } : undefined;
}

/** When it began and whether it lasts, as a sentence. */
export function onsetSentence({ atMs, confirmedAtMs }: MetricOnset): string {
  const at = new Date(atMs).toISOString();
  return confirmedAtMs === null ? `Seen for the first time in a day, at ${at}.` : `It began before ${at} and lasts.`;
}
