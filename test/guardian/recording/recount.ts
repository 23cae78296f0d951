import type { MetricType } from '../../../src/contract/guardian.ts';
import type { RecordedEvent } from '../../../src/guardian/recording/recorded-event.ts';
import type { Span } from './recording.ts';

/** The slow and plain way: every metric's samples counted from raw events, in the words of the specification. */
export function recount(events: readonly RecordedEvent[], { fromMs, toMs }: Span): Record<MetricType, number> {
  const inside = events.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
  const of = (kind: string) => inside.filter((event) => event.kind === kind);
  const fact = (event: RecordedEvent | undefined, name: string): unknown => event?.metadata?.[name];
  const requestOf = ({ actionId }: RecordedEvent) =>
    events.find((event) => event.kind === 'action.requested' && event.actionId === actionId);
  const ofAction = ({ actionId }: RecordedEvent, kind: string) =>
    events.findLast((event) => event.kind === kind && event.actionId === actionId);
  const risks = (event: RecordedEvent, levels: string[]) => levels.includes(String(fact(requestOf(event), 'risk')));
  const isElevated = (event: RecordedEvent) => risks(event, ['medium', 'high', 'critical']);

  const requested = of('action.requested');
  const dispatched = of('action.dispatched');
  const withStatus = (status: string) => inside.filter((event) => fact(event, 'status') === status);
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
  const isPlanAllowed = ({ seq }: RecordedEvent, plan: unknown) =>
    events.findLast(
      (event) => event.seq < seq && event.confirmationId === plan && /plan_(allowed|voided)$/.test(event.kind),
    )?.kind === 'task.plan_allowed';
  const hours = Math.max(0.25, (toMs - fromMs) / 3_600_000);
  const types = Map.groupBy(requested, (event) => fact(event, 'type'));
  const finished = [...withStatus('success'), ...withStatus('failed')].filter(({ kind }) => kind.startsWith('action.'));
  const allowed = [...of('action.allowed'), ...of('task.plan_allowed')];
  const elevatedAllowed = allowed.filter((event) =>
    event.confirmationId === undefined
      ? isElevated(event)
      : fact(ofPlan(event.confirmationId, 'task.plan_asked'), 'risk') !== 'low',
  );
  const waited = (event: RecordedEvent) => {
    const shown =
      event.confirmationId === undefined
        ? ofAction(event, 'confirmation.shown')
        : ofPlan(event.confirmationId, 'confirmation.shown');
    return shown === undefined ? undefined : event.atMs - shown.atMs - Number(fact(shown, 'delayMs'));
  };
  const elevatedRun = dispatched.filter(isElevated);
  const share = (part: number, whole: number) => Math.min(1, part / whole);
  const tasksEnded = of('task.ended');
  const tasksThat = (end: string) => tasksEnded.filter((event) => fact(event, 'status') === end);
  const before = (event: RecordedEvent, isSame: (other: RecordedEvent) => boolean) =>
    events.filter((other) => other.kind === 'action.requested' && other.seq < event.seq && isSame(other));

  return {
    action_rate: requested.length / hours,
    action_burst_peak: Math.max(
      0,
      ...requested.map((last) => before(last, ({ atMs }) => atMs > last.atMs - 60_000).length + 1),
    ),
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
    task_success_rate: share(tasksThat('success').length, tasksThat('success').length + tasksThat('failed').length),
    task_duration_p95: percentile(
      tasksEnded.map((event) => Number(fact(event, 'workedMs') ?? Number.NaN)),
      0.95,
    ),
    elevated_action_share: share(requested.filter(isElevated).length, requested.length),
    high_risk_executions: dispatched.filter((event) => risks(event, ['high', 'critical'])).length,
    irreversible_executions: dispatched.filter((event) => fact(requestOf(event), 'irreversible') === true).length,
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
    hasty_approval_share: share(
      elevatedAllowed.filter((event) => (waited(event) ?? Number.POSITIVE_INFINITY) < 2_000).length,
      elevatedAllowed.length,
    ),
    standing_grant_share: share(
      elevatedRun.filter((event) => String(fact(requestOf(event), 'by')).startsWith('grt_')).length,
      elevatedRun.length,
    ),
    human_intervention_rate: share(
      tasksThat('cancelled').filter((event) => fact(event, 'by') === 'person').length,
      of('task.started').length,
    ),
    denied_action_share: share(
      requested.filter((event) => fact(event, 'verdict') === 'block').length + withStatus('denied').length,
      requested.length,
    ),
    control_violations:
      of('request.refused')
        .filter((event) => fact(event, 'as') !== 'link_followed')
        .reduce((sum, event) => sum + Number(fact(event, 'count')), 0) +
      of('session.refused').filter((event) => fact(event, 'spent') !== true).length +
      of('agent.violation').filter((event) => fact(event, 'violation') === 'unexpected_result').length +
      elevatedRun.filter((event) => {
        const by = String(fact(requestOf(event), 'by'));
        if (by.startsWith('cnf_')) return !isPlanAllowed(event, by);
        return fact(requestOf(event), 'verdict') !== 'allow' && ofAction(event, 'action.allowed') === undefined;
      }).length,
    device_readiness: readiness(events, { fromMs, toMs }),
  };
}

/** Of the time between two events, one after the other, the part in which the agent was ready, of that in which nothing was locked. */
function readiness(events: readonly RecordedEvent[], { fromMs, toMs }: Span): number {
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

/** The ⌈share·n⌉-th smallest. */
function percentile(values: readonly number[], share: number): number {
  const known = values.filter((value) => !Number.isNaN(value)).toSorted((one, other) => one - other);
  return known[Math.ceil(share * known.length) - 1] ?? Number.NaN;
}
