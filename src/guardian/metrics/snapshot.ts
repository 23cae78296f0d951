import type { Counter } from '../../contract/counters.ts';
import type { MetricSnapshot, MetricType, Window } from '../../contract/guardian.ts';
import { type Good, METRIC_TYPES, METRICS } from '../../contract/metrics.ts';
import { hoursUp, type MetricValue, measure, type Recorded } from '../recording/metrics.ts';
import { withoutAsked } from '../risk/own-approvals.ts';
import { nearestLimit, type Reading, riskPosition } from '../risk/risk-position.ts';

/** The median of a metric's baseline, in its unit; `null` while there is none. */
export type MedianOf = (type: MetricType) => number | null;

/** The events of a window, and the usual values in windows of about its length. */
type Of = { recorded: Recorded; window: Window; medianOf: MedianOf };

/** All 23 over one window, in their order. */
export function snapshots(of: Of): MetricSnapshot[] {
  return METRIC_TYPES.map((type) => snapshot(type, of));
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
