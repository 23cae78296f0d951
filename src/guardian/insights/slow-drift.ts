import { histogramQuantile, type LogHistogram, mergeInto, sizeOfHistogram } from '../recording/log-histogram.ts';
import type { Recorded } from '../recording/metrics.ts';
import { ratioZ, type Share } from '../statistics/ratio-deviation.ts';
import { evidenceOf, inspect } from './evidence.ts';
import type { Facts } from './facts.ts';
import { counted, type Finding, percent, seconds } from './finding.ts';

/** The subjects of these insights. */
export const DRIFTS = { failures: 'slow_drift failures', latency: 'slow_drift latency' } as const;

/** Days with actions that make up the past, and days up to now that are compared with it. */
export const DRIFT_DAYS = { fixed: 21, lately: 14 } as const;

/** The days of the past of each drift, and the latest days, oldest first, of which today is the last. */
export type DriftFacts = { failures: readonly Recorded[]; latency: readonly Recorded[]; lately: readonly Recorded[] };

/** The latest days are looked at in these lengths. The shorter one is, the more days bad by themselves it would tell of. */
const LENGTHS = [
  { days: 3, z: 4 },
  { days: 7, z: 3 },
  { days: 14, z: 3 },
] as const;
const LEAST_FAILED = 5;
const LEAST_POINTS = 0.05;
const SLOWER = { days: 7, times: 1.5, leastMs: 100, leastEnded: 20, share: 0.95 };

/** Failures and latency against a past that does not move: a trend gets used to a slow drift, this does not. */
export function slowDrift({ drift, requests }: Facts): Finding[] {
  const failures = failuresIn(drift);
  const latency = latencyIn(drift);
  const failed = requests.filter(({ status }) => status === 'failed');
  return [
    ...(failures === undefined
      ? []
      : [
          {
            subject: DRIFTS.failures,
            category: 'reliability' as const,
            severity: 'warning' as const,
            title: `${failures.now} of the actions of ${counted(failures.days, 'day')} failed, ${failures.before} in the weeks taken as normal`,
            detail: DETAIL,
            metricTypes: ['action_success_rate' as const],
            evidence: evidenceOf(failed),
            ...inspect(failed),
            risk: { cause: 'action_success_rate' as const, share: 0.28 },
          },
        ]),
    ...(latency === undefined
      ? []
      : [
          {
            subject: DRIFTS.latency,
            category: 'performance' as const,
            severity: 'warning' as const,
            title: `95 of 100 actions of ${counted(SLOWER.days, 'day')} end within ${seconds(latency.nowMs)}, within ${seconds(latency.beforeMs)} in the weeks taken as normal`,
            detail: DETAIL,
            metricTypes: ['action_latency_p95' as const],
            evidence: [],
          },
        ]),
  ];
}

const DETAIL = 'The first three weeks count as normal, or the last three before you acknowledged this.';

function failuresIn({ failures, lately }: DriftFacts): { now: string; before: string; days: number } | undefined {
  const past = failures.map(failedOf);
  if (past.length < DRIFT_DAYS.fixed) return undefined;
  const before = sumOf(past);
  for (const { days, z } of LENGTHS) {
    const now = sumOf(lately.slice(-days).map(failedOf));
    const points = now.hits / now.total - before.hits / before.total;
    if (now.hits < LEAST_FAILED || points < LEAST_POINTS || ratioZ(now, past) < z) continue;
    return { now: percent(now.hits / now.total), before: percent(before.hits / before.total), days };
  }
  return undefined;
}

function latencyIn({ latency: past, lately }: DriftFacts): { nowMs: number; beforeMs: number } | undefined {
  const [now, before] = [lately.slice(-SLOWER.days), past].map(executionOf);
  if (past.length < DRIFT_DAYS.fixed || now === undefined || before === undefined) return undefined;
  if (Math.min(sizeOfHistogram(now), sizeOfHistogram(before)) < SLOWER.leastEnded) return undefined;
  const nowMs = histogramQuantile(now, SLOWER.share) ?? 0;
  const beforeMs = histogramQuantile(before, SLOWER.share) ?? 0;
  return nowMs >= SLOWER.times * beforeMs && nowMs - beforeMs >= SLOWER.leastMs ? { nowMs, beforeMs } : undefined;
}

function failedOf({ rollup: { counters } }: Recorded): Share {
  return { hits: counters.failed, total: counters.failed + counters.succeeded };
}

function sumOf(shares: readonly Share[]): Share {
  return shares.reduce((sum, { hits, total }) => ({ hits: sum.hits + hits, total: sum.total + total }), {
    hits: 0,
    total: 0,
  });
}

function executionOf(days: readonly Recorded[]): LogHistogram {
  const sum: LogHistogram = {};
  for (const { rollup } of days) mergeInto(sum, rollup.executionMs);
  return sum;
}
