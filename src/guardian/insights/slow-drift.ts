import { isPersonsInterruption } from '../../domain/persons-answer.ts';
import { histogramQuantile, type LogHistogram, mergeInto, sizeOfHistogram } from '../recording/log-histogram.ts';
import type { Recorded } from '../recording/metrics.ts';
import type { Share } from '../statistics/beta-binomial.ts';
import { probabilityOfAtLeast } from '../statistics/binomial.ts';
import { clamp } from '../statistics/statistics.ts';
import { evidenceOf, inspect } from './evidence.ts';
import type { DriftFacts, Facts } from './facts.ts';
import { counted, type Finding, percent, seconds } from './finding.ts';

/** The subjects of these insights. */
export const DRIFTS = { failures: 'slow_drift failures', latency: 'slow_drift latency' } as const;

/** Days with actions that make up the past, and days up to now among which the latest with actions are compared with it. */
export const DRIFT_DAYS = { fixed: 21, lately: 28 } as const;

/**
 * The latest days with actions are looked at in these lengths; `chance`: how improbable so many failures must be by the past. The shorter a length is,
 * the more single bad days it would tell of.
 */
const LENGTHS = [
  { days: 3, chance: 0.000_5 },
  { days: 7, chance: 0.01 },
  { days: 14, chance: 0.01 },
] as const;
/** Failures come in heaps, so that so many days vary as if fewer actions had been counted. No more than this is believed of the past. */
const MOST_DISPERSION = 4;
const LEAST_FAILED = 4;
const LEAST_POINTS = 0.05;
const SLOWER = { days: 14, times: 2, leastMs: 100, leastEnded: 100, share: 0.95 };

/** Failures and latency against a past that does not move: a trend gets used to a slow drift, this does not. */
export function slowDrift({ drift, requests }: Facts): Finding[] {
  const failures = failuresIn(drift);
  const latency = latencyIn(drift);
  const failed = requests.filter(({ status, errorCode }) => status === 'failed' && !isPersonsInterruption(errorCode));
  return [
    ...(failures === undefined
      ? []
      : [
          {
            subject: DRIFTS.failures,
            category: 'reliability' as const,
            severity: 'warning' as const,
            title: `${failures.now} of actions failed over ${counted(failures.days, 'day')}, ${failures.before} in normal weeks`,
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
            title: `The slowest 5 % of actions took longer than ${seconds(latency.nowMs)} over ${counted(SLOWER.days, 'day')}, ${seconds(latency.beforeMs)} in normal weeks`,
            detail: DETAIL,
            metricTypes: ['action_latency_p95' as const],
            evidence: [],
          },
        ]),
  ];
}

const DETAIL = 'Normal weeks are the first three, or the last three before you acknowledged this.';

function failuresIn({ failures, lately }: DriftFacts): { now: string; before: string; days: number } | undefined {
  const past = failures.map(failedOf);
  if (past.length < DRIFT_DAYS.fixed) return undefined;
  const before = sumOf(past);
  const used = lately.filter(({ rollup }) => rollup.counters.executed > 0);
  for (const { days, chance } of LENGTHS) {
    const now = sumOf(used.slice(-days).map(failedOf));
    const points = now.hits / now.total - before.hits / before.total;
    if (now.hits < LEAST_FAILED || points < LEAST_POINTS || chanceOf(now, past) >= chance) continue;
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

/** The probability of so many failures by the past: a one-sided binomial test, with as many actions as the dispersion of the days leaves. */
function chanceOf(now: Share, past: readonly Share[]): number {
  const before = sumOf(past);
  const probability = (before.hits + 1) / (before.total + 2);
  const used = past.filter(({ total }) => total > 0);
  const squares = used.map(
    ({ hits, total }) => (hits - total * probability) ** 2 / (total * probability * (1 - probability)),
  );
  const dispersion = clamp(squares.reduce((sum, each) => sum + each, 0) / used.length, {
    from: 1,
    to: MOST_DISPERSION,
  });
  return probabilityOfAtLeast(Math.round(now.hits / dispersion), {
    trials: Math.round(now.total / dispersion),
    probability,
  });
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
