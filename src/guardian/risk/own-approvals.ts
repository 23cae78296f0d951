import type { MetricType } from '../../contract/guardian.ts';
import type { RiskCause } from '../../contract/risk.ts';
import { hoursUp, type Recorded } from '../recording/metrics.ts';

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

/** From so many on, actions of high risk and those without undo are many for anybody; on a first day also by the hour of up-time. */
const MANY = { high_risk_executions: { least: 20, anHour: 10 }, irreversible_executions: { least: 10, anHour: 5 } };

/** Whether a number is large for anybody. */
export function isMany(type: MetricType, value: number): boolean {
  return (type === 'high_risk_executions' || type === 'irreversible_executions') && value >= MANY[type].least;
}

/** Whether so much ran, of high risk and without undo, that no approval makes it ordinary. */
export function isFarBeyondLimits({ rollup: { counters }, upTime }: Recorded): boolean {
  const isBeyond = (times: number, { least, anHour }: { least: number; anHour: number }) =>
    times >= Math.max(least, anHour * hoursUp(upTime));
  return (
    isBeyond(counters.executedHigh, MANY.high_risk_executions) &&
    isBeyond(counters.executedIrreversible, MANY.irreversible_executions)
  );
}

/** The events that a metric adds risk by. A denial is the person's check at work, so only actions that the rules refused raise the risk. */
export function judgedPart(type: MetricType, recorded: Recorded): Recorded {
  if (type === 'elevated_action_share') return withoutAsked(recorded);
  if (type !== 'denied_action_share') return recorded;
  const { rollup, ...rest } = recorded;
  return { ...rest, rollup: { ...rollup, counters: { ...rollup.counters, denied: rollup.counters.deniedAgain } } };
}

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
  return Math.max(executedByGrant, executedElevated - retried - requestedByAccess - promptAllowedElevated); // guard A30-1
}
