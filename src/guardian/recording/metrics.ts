import type { MetricType } from '../../contract/guardian.ts';
import { METRIC_TYPES } from '../../contract/guardian.ts';
import { metricDefinition } from '../metrics/metric-types.ts';
import { histogramQuantile, type LogHistogram, sizeOfHistogram } from './log-histogram.ts';
import type { Counter, Rollup } from './rollup.ts';
import type { UpTime } from './uptime.ts';

/** A metric over a span; `null` where it has fewer samples than it needs. Values in the metric's unit. */
export type MetricValue = { type: MetricType; value: number | null; sampleSize: number };

/** The recorded events of a span, the length of the span, and how long the daemon was up in it. */
export type Recorded = { rollup: Rollup; upTime: UpTime; lengthMs: number };

type Raw = { value: number; sampleSize: number };
type Formula = (recorded: Recorded) => Raw;

const HOUR_MS = 3_600_000;
const LEAST_HOURS = 0.25;

/** Controls that failed. Controls that held are the breakdown of the metric, and no part of its value. */
const FAILED_CONTROLS: readonly Counter[] = [
  'journalBroken',
  'executedUndecided',
  'approvedUnasked',
  'outcomeUnexpected',
];

/** The formula of each metric: definitions of our own. */
const FORMULAS: Record<MetricType, Formula> = {
  action_rate: perHour(['requested', 'requestRefused']),
  action_burst_peak: ({ rollup }) => ({
    value: rollup.burstPeak,
    sampleSize: rollup.counters.requested + rollup.counters.requestRefused,
  }),
  action_diversity: ({ rollup }) => ({
    value: entropyBits(Object.values(rollup.types)),
    sampleSize: rollup.counters.requested,
  }),
  action_success_rate: ratio(['succeeded'], ['succeeded', 'failed']),
  action_latency_p95: quantileOf('executionMs', 0.95),
  action_retry_rate: ratio(['retried', 'repeated'], ['requested']),
  task_success_rate: ratio(['taskSucceeded'], ['taskSucceeded', 'taskFailed']),
  task_duration_p95: quantileOf('taskMs', 0.95),
  elevated_action_share: ratio(['requestedMedium', 'requestedHigh', 'requestedCritical'], ['requested']),
  high_risk_executions: count(['executedHigh']),
  irreversible_executions: count(['executedIrreversible']),
  novel_action_share: ratio(['novel'], ['requested']),
  screen_capture_rate: perHour(['captured']),
  confirmation_prompt_rate: perHour(['prompted']),
  confirmation_approval_rate: ratio(['promptAllowed'], ['promptAllowed', 'promptDenied']),
  confirmation_expiry_rate: ratio(['promptExpired'], ['prompted']),
  confirmation_response_p50: quantileOf('responseMs', 0.5),
  hasty_approval_share: ratio(['promptAllowedHastily'], ['promptAllowedElevated']),
  standing_grant_share: ratio(['executedByGrant'], ['executedElevated']),
  human_intervention_rate: ratio(['taskIntervened'], ['taskStarted']),
  denied_action_share: ratio(['blocked', 'denied', 'requestRefused'], ['requested', 'requestRefused']),
  control_violations: count(FAILED_CONTROLS),
  device_readiness: ({ upTime }) => ({
    value: upTime.readyMs / upTime.unlockedMs,
    sampleSize: Math.floor(upTime.unlockedMs / 1000),
  }),
};

/** All 23, in their order. Nothing is said of a span in which the daemon was never up. */
export function measureAll(recorded: Recorded): MetricValue[] {
  return METRIC_TYPES.map((type) => measure(type, recorded));
}

export function measure(type: MetricType, recorded: Recorded): MetricValue {
  const { value, sampleSize } = FORMULAS[type](recorded);
  const isEnough = sampleSize >= metricDefinition(type).minimumSample && recorded.upTime.upMs > 0;
  return { type, value: isEnough && Number.isFinite(value) ? value : null, sampleSize };
}

/** Hours the daemon was up; less than a quarter counts as a quarter. */
export function hoursUp({ upMs }: UpTime): number {
  return Math.max(LEAST_HOURS, upMs / HOUR_MS);
}

/** Entropy of how often each of some kinds came (Shannon 1948). */
function entropyBits(counts: readonly number[]): number {
  const total = sum(counts);
  return sum(counts.map((each) => (each === 0 ? 0 : (each / total) * Math.log2(total / each))));
}

function count(counters: readonly Counter[]): Formula {
  return ({ rollup }) => {
    const value = sum(counters.map((counter) => rollup.counters[counter]));
    return { value, sampleSize: value };
  };
}

function perHour(counters: readonly Counter[]): Formula {
  return ({ rollup, upTime }) => {
    const times = sum(counters.map((counter) => rollup.counters[counter]));
    return { value: times / hoursUp(upTime), sampleSize: times };
  };
}

/**
 * An action that ends in the span may have been requested before it, so there may be more ends than requests; the share is
 * at most 1.
 */
function ratio(hits: readonly Counter[], all: readonly Counter[]): Formula {
  return ({ rollup }) => {
    const [part, whole] = [hits, all].map((names) => sum(names.map((name) => rollup.counters[name])));
    return { value: Math.min(1, (part ?? 0) / (whole ?? 0)), sampleSize: whole ?? 0 };
  };
}

function quantileOf(histogram: 'executionMs' | 'responseMs' | 'taskMs', share: number): Formula {
  return ({ rollup }) => {
    const values: LogHistogram = rollup[histogram];
    return { value: histogramQuantile(values, share) ?? Number.NaN, sampleSize: sizeOfHistogram(values) };
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
