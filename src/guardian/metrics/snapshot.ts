import type { Counter } from '../../contract/counters.ts';
import type { MetricSnapshot, MetricType, Window } from '../../contract/guardian.ts';
import { type Good, type Limit, METRIC_TYPES, METRICS } from '../../contract/metrics.ts';
import { hoursUp, type MetricValue, measure, type Recorded } from '../recording/metrics.ts';
import { withoutAsked } from '../risk/own-approvals.ts';
import { clamp } from '../statistics/statistics.ts';

/** The median of a metric's baseline, in its unit; `null` while there is none. */
export type MedianOf = (type: MetricType) => number | null;

/** The events of a window, and the usual values in windows of about its length. */
type Of = { recorded: Recorded; window: Window; medianOf: MedianOf };

/** All 23 over one window, in their order. */
export function snapshots(of: Of): MetricSnapshot[] {
  return METRIC_TYPES.map((type) => snapshot(type, of));
}

/** A metric over one window, as far as its limits need it. `hoursUp`: how long the daemon ran in that window. */
export type Reading = {
  type: MetricType;
  value: number | null;
  sampleSize: number;
  hoursUp: number;
  baselineMedian: number | null;
};

/** Where worry begins and where it is complete, in the unit of the value and over the same window. */
type Target = { green: number; red: number };

/**
 * How far a metric has gone from green, 0, to red, 1; the farthest of its limits. 0 for a metric without limits, `null` where there
 * are too few samples, or no baseline for a limit that is a multiple of it. Our own: a straight line from green to red.
 */
export function riskPosition(reading: Reading): number | null {
  const { minimumSample } = METRICS[reading.type];
  if (reading.value === null || reading.sampleSize < minimumSample) return null;
  const { value } = reading;
  const positions = countingLimits(reading).map((limit) => position(value, targetOf(limit, reading)));
  return positions.includes(null) ? null : Math.max(0, ...positions.filter((at) => at !== null));
}

/**
 * The limit that the value is beyond, or else the one it is nearest to; the first while there is no value. `null` for a metric without
 * limits, and where the limit is a multiple of a baseline there is not yet.
 */
export function nearestLimit(reading: Reading): Target | null {
  const { value } = reading;
  const [first, ...others] = countingLimits(reading).map((limit) => targetOf(limit, reading));
  if (first === undefined || first === null || value === null) return first ?? null;
  return others.reduce<Target>(
    (nearest, other) => (other !== null && beyond(value, other) > beyond(value, nearest) ? other : nearest),
    first,
  );
}

/** The limits that the sample is large enough for. */
function countingLimits({ type, sampleSize }: Reading): Limit[] {
  return METRICS[type].limits.filter(({ minimumSample = 0 }) => sampleSize >= minimumSample);
}

function position(value: number, target: Target | null): number | null {
  if (target === null) return null;
  return clamp((value - target.green) / (target.red - target.green), { from: 0, to: 1 });
}

/** How far a value is beyond green, in its unit; below 0 on the side that is good. */
function beyond(value: number, { green, red }: Target): number {
  return red > green ? value - green : green - value;
}

/** Part of an hour counts as a quarter at least; durations are compared as (value + 1 ms)/(median + 1 ms), as their z-scores are. */
function targetOf({ green, red, of }: Limit, { hoursUp, baselineMedian }: Reading): Target | null {
  if (of === 'value') return { green, red };
  if (of === 'valuePerHour') {
    const hours = Math.max(0.25, hoursUp);
    return { green: green * hours, red: red * hours };
  }
  if (baselineMedian === null) return null;
  return { green: green * (baselineMedian + 1) - 1, red: red * (baselineMedian + 1) - 1 };
}

export function snapshot(type: MetricType, { recorded, window, medianOf }: Of): MetricSnapshot {
  const { category, unit, good } = METRICS[type];
  const measured = measure(type, recorded);
  const reading = readingOf(measured, { recorded, medianOf });
  const judged = type === 'elevated_action_share' ? { ...reading, ...measure(type, withoutAsked(recorded)) } : reading;
  const breakdown = breakdownOf(type, recorded);
  return {
    type,
    category,
    value: measured.value,
    unit,
    status: statusOf(riskPosition(judged)),
    direction: directionOf(good),
    target: nearestLimit(reading) ?? { green: null, red: null },
    sampleSize: measured.sampleSize,
    coverage: coverageOf(recorded),
    window,
    breakdown,
  };
}

/** From green, 0, to red, 1; `null` where there is too little to tell, or nothing yet to compare with. */
export function positionOf(metric: MetricValue, of: Omit<Of, 'window'>): number | null {
  return riskPosition(readingOf(metric, of));
}

function readingOf(metric: MetricValue, { recorded, medianOf }: Omit<Of, 'window'>): Reading {
  return { ...metric, hoursUp: hoursUp(recorded.upTime), baselineMedian: medianOf(metric.type) };
}

export function coverageOf({ upTime, lengthMs }: Recorded): number {
  return Math.min(1, upTime.upMs / lengthMs);
}

function statusOf(position: number | null): MetricSnapshot['status'] {
  if (position === null) return 'insufficient_data';
  if (position === 0) return 'ok';
  return position < 1 ? 'watch' : 'bad';
}

function directionOf(good: Good): MetricSnapshot['direction'] {
  return typeof good === 'string' ? good : 'range';
}

function breakdownOf(type: MetricType, { rollup }: Recorded): MetricSnapshot['breakdown'] {
  const { counters, types } = rollup;
  switch (type) {
    case 'action_diversity':
      return types;
    case 'elevated_action_share':
      return {
        low: counters.requestedLow,
        medium: counters.requestedMedium,
        mediumByAccess: counters.requestedByAccess,
        high: counters.requestedHigh,
        critical: counters.requestedCritical,
        asked: counters.requestedAsking,
      };
    case 'control_violations':
      return controls(counters);
    default:
      return undefined;
  }
}

/**
 * Controls that failed, which the value counts, and `held`: attempts that a control refused. `unspecified`: refusals of a key or a
 * place that were counted before their kinds were told apart.
 */
function controls(counters: Record<Counter, number>): MetricSnapshot['breakdown'] {
  const held = {
    consoleKeys: counters.consoleKeyRefused,
    agentTokens: counters.agentTokenRefused,
    userKeys: counters.userKeyRefused,
    hosts: counters.hostRefused,
    origins: counters.originRefused,
    crossSiteCalls: counters.crossSiteRefused,
    otherOsUsers: counters.osUserRefused,
  };
  const known = Object.values(held).reduce((sum, times) => sum + times, 0);
  return {
    journalBreaks: counters.journalBroken,
    withoutDecision: counters.executedUndecided,
    approvedUnasked: counters.approvedUnasked,
    unexpectedOutcomes: counters.outcomeUnexpected,
    held: {
      ...held,
      unspecified: counters.credentialRefused + counters.placeRefused - known,
      selfApprovalAttempts: counters.approvalRefused,
      digestMismatches: counters.digestMismatched,
      secondAnswers: counters.replayed,
    },
  };
}
