import { type LogHistogram, mergeInto } from './log-histogram.ts';

/**
 * The counters of a rollup, in the order of their columns. Elevated: of medium risk or above. Executed: sent to the device.
 *
 * `deniedAgain`: requests that the rules denied because they repeat a denial; `denied` has them, too.
 * `requestedByAccess`: requests of medium risk that an access of the person let through; `requestedMedium` leaves them out.
 * `interrupted`: attempts that ended because the person took the mouse or the keyboard; `cancelled` has them, too. `unverified`,
 * `confirmed`: successes whose effect could not be seen, and could.
 * `requestRefused`: requests for a capability that the device lacks, refused before an action existed; `requested` leaves them out.
 * `executedHigh`, `executedIrreversible`: attempts that may have had an effect, counted when they end. `executedWithoutEffect`:
 * attempts that the agent reports to have changed nothing. `planDenied`: tasks that ended because the person denied or interrupted them, and that
 * `taskFailed` leaves out. `approvedUnasked`: approvals recorded although no prompt was waiting. `outcomeUnexpected`: outcomes recorded
 * for an action that was not running. `credentialRefused` and `placeRefused` are totals of the seven kinds of refusal at the end.
 */
export const COUNTERS = [
  'requested',
  'requestedLow',
  'requestedMedium',
  'requestedHigh',
  'requestedCritical',
  'requestedAllowed',
  'requestedAsking',
  'blocked',
  'repeated',
  'novel',
  'executed',
  'executedElevated',
  'executedHigh',
  'executedIrreversible',
  'executedByGrant',
  'executedUndecided',
  'retried',
  'captured',
  'succeeded',
  'failed',
  'denied',
  'expired',
  'cancelled',
  'unknown',
  'cancelRequested',
  'prompted',
  'promptCalled',
  'promptShown',
  'promptAllowed',
  'promptAllowedElevated',
  'promptAllowedHastily',
  'promptDenied',
  'promptExpired',
  'grantCreated',
  'taskStarted',
  'taskSucceeded',
  'taskFailed',
  'taskCancelled',
  'taskIntervened',
  'credentialRefused',
  'placeRefused',
  'approvalRefused',
  'journalBroken',
  'agentLost',
  'agentViolated',
  'requesterPaused',
  'emergencyStopped',
  'replayed',
  'digestMismatched',
  'requestRefused',
  'planDenied',
  'executedWithoutEffect',
  'cancelledByPerson',
  'approvedUnasked',
  'outcomeUnexpected',
  'consoleKeyRefused',
  'agentTokenRefused',
  'userKeyRefused',
  'hostRefused',
  'originRefused',
  'crossSiteRefused',
  'osUserRefused',
  'requestedByAccess',
  'deniedAgain',
  'interrupted',
  'unverified',
  'confirmed',
] as const;
export type Counter = (typeof COUNTERS)[number];

/** The events of a span of time, summed up. Times and histogram values are in milliseconds. */
export type Rollup = {
  counters: Record<Counter, number>;
  /** Most requests in any 60 s that end within the span. */
  burstPeak: number;
  slowestMs: number;
  /** Requests by action type. */
  types: { [actionType: string]: number };
  executionMs: LogHistogram;
  responseMs: LogHistogram;
  taskMs: LogHistogram;
};

export function emptyRollup(): Rollup {
  return {
    counters: Object.fromEntries(COUNTERS.map((counter) => [counter, 0])) as Record<Counter, number>,
    burstPeak: 0,
    slowestMs: 0,
    types: {},
    executionMs: {},
    responseMs: {},
    taskMs: {},
  };
}

export function mergeRollups(rollups: Iterable<Rollup>): Rollup {
  const sum = emptyRollup();
  for (const each of rollups) {
    for (const counter of COUNTERS) sum.counters[counter] += each.counters[counter];
    sum.burstPeak = Math.max(sum.burstPeak, each.burstPeak);
    sum.slowestMs = Math.max(sum.slowestMs, each.slowestMs);
    mergeInto(sum.types, each.types);
    mergeInto(sum.executionMs, each.executionMs);
    mergeInto(sum.responseMs, each.responseMs);
    mergeInto(sum.taskMs, each.taskMs);
  }
  return sum;
}
