import type { RiskCause } from '../../contract/risk.ts';
import type { Recorded } from '../recording/metrics.ts';

/**
 * The most that actions add up to that the person approved one by one, on a desktop without a past: the top of `moderate`. Who tries a
 * program out approves much in an hour, and nothing says yet whether that is unusual. Our own.
 */
export const MOST_BY_APPROVALS = 49;

/** Causes whose events are actions that ran. */
export const BY_ACTIONS: ReadonlySet<RiskCause> = new Set<RiskCause>([
  'requesters',
  'elevated_action_share',
  'high_risk_executions',
  'irreversible_executions',
  'novel_action_share',
]);

/** The same window without the requests of medium risk or above that asked the person: each waited for an answer of its own. */
export function withoutAsked({ rollup, ...rest }: Recorded): Recorded {
  const { counters } = rollup;
  const elevated = counters.requestedMedium + counters.requestedHigh + counters.requestedCritical;
  const unasked = Math.max(0, elevated - counters.requestedAsking);
  const left = { ...counters, ...{ requestedMedium: unasked, requestedHigh: 0, requestedCritical: 0 } };
  return { ...rest, rollup: { ...rollup, counters: left } };
}

/** The same window without the actions of medium risk or above that the person approved one by one, or by an access. */
export function withoutApproved(recorded: Recorded): Recorded {
  const { rollup, ...rest } = withoutAsked(recorded);
  const { counters } = rollup;
  const unapproved = unapprovedIn(counters);
  const left = {
    ...counters,
    executedHigh: Math.min(counters.executedHigh, unapproved),
    executedIrreversible: Math.min(counters.executedIrreversible, unapproved),
  };
  return { ...rest, rollup: { ...rollup, counters: left } };
}

/** Whether each action of medium risk or above that ran had a yes of its own, or was within an access. */
export function isAllApproved({ rollup: { counters } }: Recorded): boolean {
  return counters.executedElevated > 0 && unapprovedIn(counters) === 0;
}

/**
 * One yes to a plan or a grant lets many actions run, so those that ran are more than the approvals. What a grant let through is never
 * less: a requester takes requests back that were allowed, and repeats harmless ones, as often as it likes.
 */
function unapprovedIn(counters: Recorded['rollup']['counters']): number {
  const { executedElevated, executedByGrant, retried, requestedByAccess, promptAllowedElevated } = counters;
  return Math.max(executedByGrant, executedElevated - retried - requestedByAccess - promptAllowedElevated);
}
