import type { Counter } from '../../../src/contract/counters.ts';
import type { MetricType } from '../../../src/contract/guardian.ts';
import type { Row, Span } from './recording.ts';

/** Counts the samples of each metric from raw events, slowly and by the definitions of METRICS.md. */
export function recount(events: readonly Row[], { fromMs, toMs }: Span): Record<MetricType, number> {
  const inside = events.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
  const of = (kind: string) => inside.filter((event) => event.kind === kind);
  const fact = (event: Row | undefined, name: string): unknown => event?.metadata?.[name];
  const requestOf = ({ actionId }: Row) =>
    events.find((event) => event.kind === 'action.requested' && event.actionId === actionId);
  const ofAction = ({ actionId }: Row, kind: string) =>
    events.findLast((event) => event.kind === kind && event.actionId === actionId);
  const risks = (event: Row, levels: string[]) => levels.includes(String(fact(requestOf(event), 'risk')));
  const isElevated = (event: Row) => risks(event, ['medium', 'high', 'critical']);

  const requested = of('action.requested');
  const dispatched = of('action.dispatched');
  const hasEnded = ({ seq, actionId }: Row) =>
    actionId !== undefined &&
    events.some((other) => other.seq < seq && other.actionId === actionId && ENDS.has(String(fact(other, 'status'))));
  const withStatus = (status: string) => inside.filter((event) => fact(event, 'status') === status && !hasEnded(event));
  const answered = (kind: string) => [
    ...of(`action.${kind}`).filter((event) => fact(event, 'confirmationId') !== undefined),
    ...of(`task.plan_${kind}`),
  ];
  const prompted = [
    ...requested.filter(
      (event) =>
        fact(event, 'verdict') === 'ask' && fact(ofAction(event, 'action.denied'), 'because') !== 'repeats a denial',
    ),
    ...of('task.plan_asked'),
  ];
  const ofPlan = (plan: unknown, kind: string) =>
    events.findLast((event) => event.kind === kind && event.confirmationId === plan);
  /** The latest word on a plan before something was sent on it. */
  const isPlanAllowed = ({ seq }: Row, plan: unknown) =>
    events.findLast(
      (event) => event.seq < seq && event.confirmationId === plan && /plan_(allowed|voided)$/.test(event.kind),
    )?.kind === 'task.plan_allowed';
  const refused = sum(
    of('request.refused').filter((event) => fact(event, 'code') === 'capability_missing'),
    countOf,
  );
  /** Attempts that ended in the span and may have had an effect. */
  const effective = inside.filter(
    (event) =>
      ENDS.has(String(fact(event, 'status'))) &&
      ofAction(event, 'action.dispatched') !== undefined &&
      fact(event, 'sideEffect') !== 'none' &&
      !hasEnded(event),
  );
  const hours = Math.max(0.25, (toMs - fromMs) / 3_600_000);
  const types = Map.groupBy(requested, (event) => fact(event, 'type'));
  const finished = [...withStatus('success'), ...withStatus('failed')].filter(({ kind }) => kind.startsWith('action.'));
  const allowed = [...of('action.allowed'), ...of('task.plan_allowed')];
  const elevatedAllowed = allowed.filter((event) =>
    event.confirmationId === undefined
      ? isElevated(event)
      : fact(ofPlan(event.confirmationId, 'task.plan_asked'), 'risk') !== 'low',
  );
  const waited = (event: Row) => {
    const shown =
      event.confirmationId === undefined
        ? ofAction(event, 'confirmation.shown')
        : ofPlan(event.confirmationId, 'confirmation.shown');
    return shown === undefined ? undefined : event.atMs - shown.atMs - Number(fact(shown, 'delayMs'));
  };
  const wasOnScreenMs = (event: Row) => {
    const { confirmationId } = event;
    const isOfAction = confirmationId === undefined;
    const shown = isOfAction ? ofAction(event, 'confirmation.shown') : ofPlan(confirmationId, 'confirmation.shown');
    return Number((shown && fact(shown, 'onScreenMs')) ?? 0);
  };
  const isHasty = (event: Row) => (waited(event) ?? Number.POSITIVE_INFINITY) + wasOnScreenMs(event) < 2_000;
  const elevatedRun = dispatched.filter(isElevated);
  const share = (part: number, whole: number) => Math.min(1, part / whole);
  const tasksEnded = of('task.ended');
  const tasksThat = (end: string) => tasksEnded.filter((event) => fact(event, 'status') === end);
  const before = (event: Row, isSame: (other: Row) => boolean) =>
    events.filter((other) => other.kind === 'action.requested' && other.seq < event.seq && isSame(other));

  return {
    action_rate: (requested.length + refused) / hours,
    action_burst_peak: Math.max(0, ...asked(inside).map((last) => askedInMinuteBefore(events, last))),
    action_diversity: [...types.values()].reduce(
      (bits, { length }) => bits - (length / requested.length) * Math.log2(length / requested.length),
      0,
    ),
    action_success_rate: share(finished.filter((event) => fact(event, 'status') === 'success').length, finished.length),
    action_latency_p95: percentile(
      finished.flatMap((event) => {
        const start = ofAction(event, 'action.dispatched');
        return start === undefined ? [] : [event.atMs - start.atMs];
      }),
      0.95,
    ),
    action_retry_rate: share(
      dispatched.filter((event) => Number(fact(event, 'attempt')) > 1).length +
        requested.filter(
          (event) =>
            before(
              event,
              (other) =>
                event.atMs - other.atMs <= 600_000 &&
                other.userId === event.userId &&
                fact(other, 'digest') === fact(event, 'digest'),
            ).length > 0,
        ).length,
      requested.length,
    ),
    task_success_rate: share(
      tasksThat('success').length,
      tasksThat('success').length + tasksThat('failed').filter((event) => fact(event, 'because') !== 'denied').length,
    ),
    task_duration_p95: percentile(
      tasksEnded.map((event) => Number(fact(event, 'workedMs') ?? Number.NaN)),
      0.95,
    ),
    elevated_action_share: share(
      requested.filter((event) => isElevated(event) && !String(fact(event, 'by')).startsWith('acc_')).length,
      requested.length,
    ),
    high_risk_executions: effective.filter((event) => risks(event, ['high', 'critical'])).length,
    irreversible_executions: effective.filter((event) => fact(requestOf(event), 'irreversible') === true).length,
    novel_action_share: share(
      requested.filter(
        (event) =>
          before(
            event,
            (other) =>
              event.atMs - other.atMs <= 28 * 86_400_000 &&
              other.userId === event.userId &&
              fact(other, 'type') === fact(event, 'type') &&
              fact(other, 'target') === fact(event, 'target'),
          ).length === 0,
      ).length,
      requested.length,
    ),
    screen_capture_rate:
      dispatched.filter((event) =>
        ['TakeScreenshot', 'DescribeScreen'].includes(String(fact(requestOf(event), 'type'))),
      ).length / hours,
    confirmation_prompt_rate: prompted.length / hours,
    confirmation_approval_rate: share(allowed.length, allowed.length + answered('denied').length),
    confirmation_expiry_rate: share(answered('expired').length, prompted.length),
    confirmation_response_p50: percentile(
      [...allowed, ...answered('denied')].flatMap((event) => Math.max(0, waited(event) ?? Number.NaN)),
      0.5,
    ),
    hasty_approval_share: share(elevatedAllowed.filter(isHasty).length, elevatedAllowed.length),
    standing_grant_share: share(
      elevatedRun.filter((event) => String(fact(requestOf(event), 'by')).startsWith('grt_')).length,
      elevatedRun.length,
    ),
    human_intervention_rate: share(
      tasksEnded.filter(
        (event) =>
          ['success', 'failed', 'cancelled'].includes(String(fact(event, 'status'))) &&
          fact(event, 'intervened') === true,
      ).length,
      of('task.started').length,
    ),
    denied_action_share: share(
      requested.filter((event) => fact(event, 'verdict') === 'block').length + withStatus('denied').length + refused,
      requested.length + refused,
    ),
    control_violations:
      inside.filter((event) => isUnexpectedApproval(events, event) || isUnexpectedOutcome(events, event)).length +
      elevatedRun.filter((event) => {
        const by = String(fact(requestOf(event), 'by'));
        if (by.startsWith('cnf_')) return !isPlanAllowed(event, by);
        return fact(requestOf(event), 'verdict') !== 'allow' && ofAction(event, 'action.allowed') === undefined;
      }).length,
    device_readiness: readiness(events, { fromMs, toMs }),
  };
}

/** Of the time between two events, one after the other, the part in which the agent was ready, of that in which nothing was locked. */
function readiness(events: readonly Row[], { fromMs, toMs }: Span): number {
  const lengthMs = (index: number) => {
    const [beginMs, endMs] = [events[index]?.atMs ?? 0, events[index + 1]?.atMs ?? 0];
    return Math.max(0, Math.min(endMs, toMs) - Math.max(beginMs, fromMs));
  };
  const last = (index: number, kinds: readonly string[]) =>
    events.slice(0, index + 1).findLast(({ kind }) => kinds.includes(kind));
  const unlocked = events.flatMap((_, index) =>
    last(index, ['screen.locked', 'screen.unlocked'])?.kind === 'screen.locked' ? [] : [index],
  );
  const ready = unlocked.filter((index) => last(index, ['agent.readiness', 'agent.lost'])?.metadata?.ready === true);
  const sum = (indexes: readonly number[]) => indexes.reduce((total, index) => total + lengthMs(index), 0);
  return sum(ready) / sum(unlocked);
}

const ENDS = new Set(['success', 'failed', 'denied', 'expired', 'cancelled', 'unknown']);

/** Requests, with the refused ones that became no action. */
function asked(events: readonly Row[]): Row[] {
  return events.filter(({ kind, metadata }) => kind === 'action.requested' || metadata?.code === 'capability_missing');
}

function askedInMinuteBefore(events: readonly Row[], last: Row): number {
  return sum(
    asked(events).filter(({ seq, atMs }) => seq <= last.seq && atMs > last.atMs - 60_000),
    countOf,
  );
}

/** How many one event stands for. */
function countOf({ metadata }: Row): number {
  return Number(metadata?.count ?? 1);
}

function sum(events: readonly Row[], sizeOf: (event: Row) => number): number {
  return events.reduce((total, event) => total + sizeOf(event), 0);
}

/** An approval without a prompt that waits for it. */
function isUnexpectedApproval(events: readonly Row[], event: Row): boolean {
  const earlier = events.filter(({ seq }) => seq < event.seq);
  if (event.kind === 'task.plan_allowed')
    return earlier.findLast(isOf('confirmationId', event, /^task\.plan_/))?.kind !== 'task.plan_asked';
  if (event.kind !== 'action.allowed') return false;
  const request = earlier.find(isOf('actionId', event, /^action\.requested$/));
  return (
    request?.metadata?.verdict !== 'ask' ||
    earlier.some(isOf('actionId', event, /^action\.(allowed|denied|expired|withdrawn)$/))
  );
}

/** An outcome of an attempt that is not under way. */
function isUnexpectedOutcome(events: readonly Row[], event: Row): boolean {
  if (!/^action\.(succeeded|failed|stopped|lost)$/.test(event.kind)) return false;
  const earlier = events.filter(({ seq }) => seq < event.seq);
  const latest = earlier.findLast(isOf('actionId', event, /^action\.(dispatched|succeeded|failed|stopped|lost)$/));
  return latest?.kind !== 'action.dispatched';
}

function isOf(subject: 'actionId' | 'confirmationId', event: Row, kinds: RegExp) {
  return (other: Row) => other[subject] === event[subject] && kinds.test(other.kind);
}

/** Counters that no metric shows by itself, and the refusals that the breakdown of row 22 has. */
export function recountCounters(events: readonly Row[], { fromMs, toMs }: Span): Partial<Record<Counter, number>> {
  const inside = events.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
  const fact = (event: Row | undefined, name: string): unknown => event?.metadata?.[name];
  const refusedAs = (...codes: string[]) =>
    sum(
      inside.filter(
        (event) => event.kind === 'request.refused' && codes.includes(String(fact(event, 'as') ?? fact(event, 'code'))),
      ),
      countOf,
    );
  const isMistake = (event: Row) => fact(event, 'spent') === true || fact(event, 'first') === true;
  const sessions = inside.filter((event) => event.kind === 'session.refused' && !isMistake(event)).length;
  const [userKeyRefused, agentTokenRefused] = [refusedAs('user_key_invalid'), refusedAs('agent_token_invalid')];
  const consoleKeyRefused = refusedAs('session_key_unknown') + sessions;
  const [hostRefused, originRefused] = [refusedAs('host_not_allowed'), refusedAs('origin_not_allowed')];
  const [crossSiteRefused, osUserRefused] = [refusedAs('cross_site_request'), refusedAs('os_user_not_allowed')];
  const isWithoutEffect = (event: Row) =>
    fact(event, 'sideEffect') === 'none' &&
    events.some((other) => other.seq < event.seq && isOf('actionId', event, /^action\.dispatched$/)(other));
  const asksElevated = (event: Row) =>
    event.kind === 'action.requested' && fact(event, 'verdict') === 'ask' && fact(event, 'risk') !== 'low';
  return {
    requestedAsking: inside.filter(asksElevated).length,
    userKeyRefused,
    agentTokenRefused,
    consoleKeyRefused,
    credentialRefused: userKeyRefused + agentTokenRefused + consoleKeyRefused,
    hostRefused,
    originRefused,
    crossSiteRefused,
    osUserRefused,
    placeRefused: hostRefused + originRefused + crossSiteRefused + osUserRefused,
    approvalRefused: refusedAs('approval_requires_person'),
    digestMismatched: refusedAs('digest_mismatch'),
    replayed: inside.filter((event) => fact(event, 'violation') === 'unexpected_result').length,
    requestRefused: refusedAs('capability_missing'),
    planDenied: inside.filter((event) => event.kind === 'task.ended' && fact(event, 'because') === 'denied').length,
    deniedAgain: inside.filter((event) => event.kind === 'action.denied' && fact(event, 'confirmationId') === undefined)
      .length,
    executedWithoutEffect: inside.filter(isWithoutEffect).length,
    cancelledByPerson: inside.filter(
      (event) =>
        /^(action|task)\.cancel_requested$/.test(event.kind) &&
        fact(event, 'by') === 'person' &&
        fact(event, 'withTask') !== true,
    ).length,
  };
}

/** The ⌈share·n⌉-th smallest. */
function percentile(values: readonly number[], share: number): number {
  const known = values.filter((value) => !Number.isNaN(value)).toSorted((one, other) => one - other);
  return known[Math.ceil(share * known.length) - 1] ?? Number.NaN;
}
