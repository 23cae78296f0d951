import { METRIC_TYPES, type MetricSnapshot, type MetricType, type Window } from '../contract/guardian.ts';
import { type Good, type MetricDefinition, metricDefinition } from './metric-types.ts';
import { hoursUp, type MetricValue, measure, type Recorded } from './recording/metrics.ts';
import { riskPosition } from './risk-position.ts';

/** All 23 over one window, in their order. */
export function snapshots(recorded: Recorded, window: Window): MetricSnapshot[] {
  return METRIC_TYPES.map((type) => snapshot(type, recorded, window));
}

export function snapshot(type: MetricType, recorded: Recorded, window: Window): MetricSnapshot {
  const definition = metricDefinition(type);
  const { category, unit, good } = definition;
  const measured = measure(type, recorded);
  const breakdown = breakdownOf(type, recorded);
  return {
    type,
    category,
    value: measured.value,
    unit,
    status: statusOf(measured, recorded),
    direction: directionOf(good),
    target: targetOf(definition),
    sampleSize: measured.sampleSize,
    coverage: coverageOf(recorded),
    window,
    ...(breakdown === undefined ? {} : { breakdown }),
  };
}

/** From green, 0, to red, 1; `null` where there is too little to tell, or nothing yet to compare with. */
export function positionOf({ type, value, sampleSize }: MetricValue, { upTime }: Recorded): number | null {
  return riskPosition({ type, value, sampleSize, hoursUp: hoursUp(upTime), baselineMedian: null });
}

export function coverageOf({ upTime, lengthMs }: Recorded): number {
  return Math.min(1, upTime.upMs / lengthMs);
}

function statusOf(measured: MetricValue, recorded: Recorded): MetricSnapshot['status'] {
  const position = positionOf(measured, recorded);
  if (position === null) return 'insufficient_data';
  if (position === 0) return 'ok';
  return position < 1 ? 'watch' : 'bad';
}

function directionOf(good: Good): MetricSnapshot['direction'] {
  return typeof good === 'string' ? good : 'range';
}

/** The first limit, where it is one of the value itself. */
function targetOf({ limits }: MetricDefinition): MetricSnapshot['target'] {
  const [limit] = limits;
  return limit === undefined || limit.of === 'baselineMedian'
    ? { green: null, red: null }
    : { green: limit.green, red: limit.red };
}

function breakdownOf(type: MetricType, { rollup }: Recorded): Record<string, number> | undefined {
  const { counters, types } = rollup;
  switch (type) {
    case 'action_diversity':
      return types;
    case 'elevated_action_share':
      return {
        low: counters.requestedLow,
        medium: counters.requestedMedium,
        high: counters.requestedHigh,
        critical: counters.requestedCritical,
      };
    case 'control_violations':
      return {
        refusedCredentials: counters.credentialRefused,
        refusedHostsAndOrigins: counters.placeRefused,
        replays: counters.replayed,
        digestMismatches: counters.digestMismatched,
        selfApprovalAttempts: counters.approvalRefused,
        journalBreaks: counters.journalBroken,
        withoutDecision: counters.executedUndecided,
      };
    default:
      return undefined;
  }
}
