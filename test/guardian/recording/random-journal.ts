import fc from 'fast-check';
import type { Happening } from './recording.ts';

/** A life of one action: what was asked for when, and what became of it after how long. */
export type Life = {
  startMs: number;
  user: string;
  type: string;
  target: string;
  risk: string;
  irreversible: boolean;
  digest: string;
  way: 'run' | 'grant' | 'ask' | 'block' | 'repeatedNo';
  shownAfterMs: number | null;
  /** `null` where the page did not say. */
  onScreenMs: number | null;
  answer: 'allowed' | 'denied' | 'expired' | 'none';
  waitMs: number;
  attempt: number;
  runMs: number;
  end: 'succeeded' | 'failed' | 'stopped' | 'none';
  sideEffect: 'none' | 'done' | 'unknown' | null;
  /** Who cancels it while it runs, if anyone. */
  cancelledBy: 'person' | 'task' | 'requester' | null;
  /** Records that the rail never makes: a second outcome, or an approval of an action that has none to wait for. */
  oddity: 'second outcome' | 'second approval' | null;
};

const life: fc.Arbitrary<Life> = fc.record({
  startMs: fc.nat(4 * 3_600_000),
  user: fc.constantFrom('ann', 'bob'),
  type: fc.constantFrom('OpenApp', 'TakeScreenshot', 'DescribeScreen', 'Wait', 'QuitApp'),
  target: fc.constantFrom('mail', 'notes', 'shell'),
  risk: fc.constantFrom('low', 'medium', 'high', 'critical'),
  irreversible: fc.boolean(),
  digest: fc.constantFrom('d1', 'd2', 'd3', 'd4'),
  way: fc.constantFrom('run', 'grant', 'ask', 'ask', 'block', 'repeatedNo'),
  shownAfterMs: fc.option(fc.nat(20_000)),
  onScreenMs: fc.option(fc.nat(3_000)),
  answer: fc.constantFrom('allowed', 'allowed', 'denied', 'expired', 'none'),
  waitMs: fc.oneof(fc.nat(90_000), fc.nat(4_000)),
  attempt: fc.constantFrom(1, 1, 1, 2),
  runMs: fc.oneof(fc.nat(3), fc.nat(3_000), fc.nat(600_000)),
  end: fc.constantFrom('succeeded', 'succeeded', 'failed', 'stopped', 'none'),
  sideEffect: fc.constantFrom(null, 'none', 'done', 'unknown'),
  cancelledBy: fc.constantFrom(null, null, 'person', 'task', 'requester'),
  oddity: fc.oneof({ weight: 20, arbitrary: fc.constant(null) }, fc.constantFrom('second outcome', 'second approval')),
});

const someTime = fc.nat(4 * 3_600_000);

/** A plan for some steps, what became of its prompt, and what was sent on it, rightly or not. */
type PlanLife = {
  startMs: number;
  risk: string;
  shownAfterMs: number | null;
  /** `null` where the page did not say. */
  onScreenMs: number | null;
  answer: 'allowed' | 'denied' | 'expired' | 'voided' | 'none';
  waitMs: number;
  voidAfterMs: number | null;
  sent: { afterMs: number; risk: string }[];
  /** The journal has its approval twice, which the rail never records. */
  isApprovedTwice: boolean;
};

const planLife: fc.Arbitrary<PlanLife> = fc.record({
  startMs: fc.nat(3 * 3_600_000),
  risk: fc.constantFrom('low', 'medium', 'high', 'critical'),
  shownAfterMs: fc.option(fc.nat(20_000)),
  onScreenMs: fc.option(fc.nat(3_000)),
  answer: fc.constantFrom('allowed', 'allowed', 'allowed', 'denied', 'expired', 'voided', 'none'),
  waitMs: fc.oneof(fc.nat(90_000), fc.nat(4_000)),
  voidAfterMs: fc.option(fc.nat(300_000)),
  sent: fc.array(fc.record({ afterMs: fc.nat(600_000), risk: fc.constantFrom('low', 'medium', 'high') }), {
    maxLength: 4,
  }),
  isApprovedTwice: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.constant(true)),
});

const refusal = fc.record(
  {
    atMs: someTime,
    code: fc.constantFrom(
      'host_not_allowed',
      'user_key_invalid',
      'agent_token_invalid',
      'approval_requires_person',
      'cross_site_request',
      'origin_not_allowed',
      'os_user_not_allowed',
    ),
    as: fc.constantFrom('session_key_unknown', 'digest_mismatch', 'link_followed'),
    count: fc.integer({ min: 1, max: 5 }),
  },
  { requiredKeys: ['atMs', 'code', 'count'] },
);

/** Requests for a capability that the device lacks, each second's together. */
const refusedRequests = fc.record({
  atMs: someTime,
  user: fc.constantFrom('ann', 'bob'),
  count: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 40 })),
});

/** A life of one task, as far as it is measured: it may never begin, and never end. */
const task = fc.record({
  atMs: someTime,
  begins: fc.constantFrom(true, true, true, false),
  workedMs: fc.oneof(fc.nat(3), fc.nat(600_000)),
  waitedMs: fc.nat(90_000),
  end: fc.constantFrom('success', 'success', 'failed', 'cancelled', 'none'),
  by: fc.constantFrom('person', 'requester'),
  isDenied: fc.boolean(),
  isStepCancelled: fc.boolean(),
});

/** What has an effect on whether the agent could be used, and what tells of answers nobody asked for. */
const standing = fc.record({
  atMs: someTime,
  happens: fc.constantFrom<[kind: string, metadata: Record<string, unknown>]>(
    ['agent.readiness', { ready: true }],
    ['agent.readiness', { ready: false }],
    ['agent.lost', {}],
    ['screen.locked', {}],
    ['screen.unlocked', {}],
    ['agent.violation', { violation: 'unexpected_result' }],
    ['agent.violation', { violation: 'unexpected_progress' }],
    ['agent.result_ignored', { attempt: '1' }],
    ['session.refused', {}],
    ['session.refused', { spent: true }],
    ['session.refused', { first: true }],
  ),
});

type TaskLife = typeof task extends fc.Arbitrary<infer Value> ? Value : never;

/** Journals of some hours, in the order of time. */
export const randomHappenings: fc.Arbitrary<Happening[]> = fc
  .tuple(
    fc.array(life, { minLength: 40, maxLength: 120 }),
    fc.array(planLife, { maxLength: 20 }),
    fc.array(refusal, { maxLength: 5 }),
    fc.array(refusedRequests, { maxLength: 30 }),
    fc.array(task, { maxLength: 40 }),
    fc.array(standing, { maxLength: 20 }),
  )
  .map(([lives, planned, refusals, refused, tasks, standings]) =>
    [
      ...lives.flatMap((each, index) => happeningsOf(each, `act_${index}`)),
      ...planned.flatMap((each, index) => happeningsOfPlan(each, `${index}`)),
      ...refusals.map(({ atMs, ...metadata }): Happening => [atMs, 'request.refused', undefined, metadata]),
      ...refused.map(({ atMs, ...facts }) =>
        happened(atMs, 'request.refused', { code: 'capability_missing', capability: 'canOpenApps', ...facts }),
      ),
      ...tasks.flatMap(taskHappenings),
      ...standings.map(({ atMs, happens: [kind, metadata] }): Happening => [atMs, kind, undefined, metadata]),
    ].toSorted(([one], [other]) => one - other),
  );

function happeningsOf(each: Life, id: string): Happening[] {
  const { startMs, way, type, target, risk, irreversible, digest, user } = each;
  const verdict = { run: 'allow', grant: 'allow', ask: 'ask', block: 'block', repeatedNo: 'ask' }[way];
  const by = way === 'grant' ? 'grt_1' : 'profile';
  const metadata = { type, target, risk, irreversible, digest, verdict, by, user };
  const asked: Happening = [startMs, 'action.requested', id, metadata];
  if (way === 'block') return [asked];
  if (way === 'repeatedNo')
    return [asked, [startMs, 'action.denied', id, { status: 'denied', because: 'repeats a denial' }]];
  return [asked, ...(way === 'ask' ? answering(each, id) : running(each, id, startMs))];
}

function taskHappenings({
  atMs,
  begins,
  workedMs,
  waitedMs,
  end,
  by,
  isDenied,
  isStepCancelled,
}: TaskLife): Happening[] {
  const started: Happening[] = begins ? [[atMs, 'task.started']] : [];
  if (end === 'none') return started;
  const worked = begins ? { workedMs } : {};
  const endedBy = end === 'cancelled' ? { by } : {};
  const because = end === 'failed' && isDenied ? { because: 'denied' } : {};
  const endMs = atMs + (begins ? workedMs + waitedMs : 0);
  const cancelled: Happening[] = end === 'cancelled' ? [[endMs, 'task.cancel_requested', undefined, { by }]] : [];
  const intervened = isStepCancelled || endedBy.by === 'person' ? { intervened: true } : {};
  return [
    ...started,
    ...cancelled,
    [endMs, 'task.ended', undefined, { status: end, ...worked, ...endedBy, ...because, ...intervened }],
  ];
}

function happeningsOfPlan(each: PlanLife, name: string): Happening[] {
  const { startMs, risk, answer, shownAfterMs, waitMs, voidAfterMs, sent } = each;
  const about = { plan: `cnf_plan${name}`, taskId: `tsk_${name}` };
  const shownMs = startMs + (shownAfterMs ?? 0);
  const answeredMs = shownMs + waitMs;
  const isVoided = answer === 'allowed' && voidAfterMs !== null;
  const last = Math.max(answeredMs + (voidAfterMs ?? 0), ...sent.map(({ afterMs }) => startMs + afterMs));
  return [
    [startMs, 'task.plan_asked', undefined, { ...about, risk }],
    ...(shownAfterMs === null ? [] : [happened(shownMs, 'confirmation.shown', { ...about, ...shownFacts(each) })]),
    ...(answer === 'none' ? [] : [happened(answeredMs, `task.plan_${answer}`, about)]),
    ...(answer === 'allowed' && each.isApprovedTwice ? [happened(answeredMs + 1, 'task.plan_allowed', about)] : []),
    ...(isVoided ? [happened(answeredMs + voidAfterMs, 'task.plan_voided', about)] : []),
    ...sent.flatMap((run, index) => sentOnPlan(run, { startMs, by: about.plan, id: `act_${name}_${index}` })),
    [last + 1, 'task.ended', undefined, { taskId: about.taskId }],
  ];
}

function happened(atMs: number, kind: string, metadata: Record<string, unknown>): Happening {
  return [atMs, kind, undefined, metadata];
}

function sentOnPlan(
  { afterMs, risk }: PlanLife['sent'][number],
  { startMs, by, id }: { startMs: number; by: string; id: string },
): Happening[] {
  const asked = { type: 'OpenApp', target: 'mail', risk, digest: `of ${id}`, verdict: 'allow', by };
  return [
    [startMs + afterMs, 'action.requested', id, asked],
    [startMs + afterMs, 'action.dispatched', id, { status: 'running', attempt: 1 }],
  ];
}

function answering(each: Life, id: string): Happening[] {
  const shownMs = each.startMs + (each.shownAfterMs ?? 0);
  const answeredMs = shownMs + each.waitMs;
  const shown: Happening[] = each.shownAfterMs === null ? [] : [[shownMs, 'confirmation.shown', id, shownFacts(each)]];
  if (each.answer === 'none') return shown;
  const status = each.answer === 'allowed' ? 'queued' : each.answer;
  const answered: Happening = [answeredMs, `action.${each.answer}`, id, { status, confirmationId: `cnf_${id}` }];
  return [...shown, answered, ...(each.answer === 'allowed' ? running(each, id, answeredMs) : [])];
}

function running(each: Life, id: string, fromMs: number): Happening[] {
  const { attempt, runMs, end, sideEffect } = each;
  const sent: Happening = [fromMs, 'action.dispatched', id, { status: 'running', attempt }];
  const begun = [sent, ...cancelling(each, id, fromMs), ...secondApproval(each, id, fromMs)];
  if (end === 'none') return begun;
  const status = { succeeded: 'success', failed: 'failed', stopped: 'cancelled' }[end];
  const effect = sideEffect === null ? {} : { sideEffect };
  const ended: Happening = [fromMs + runMs, `action.${end}`, id, { status, ...effect }];
  const second: Happening = [fromMs + runMs + 5, 'action.succeeded', id, { status: 'success' }];
  return [...begun, ended, ...(each.oddity === 'second outcome' ? [second] : [])];
}

function cancelling({ cancelledBy }: Life, id: string, atMs: number): Happening[] {
  if (cancelledBy === null) return [];
  const by = cancelledBy === 'task' ? { by: 'person', withTask: true } : { by: cancelledBy };
  return [[atMs, 'action.cancel_requested', id, by]];
}

/** With no effect on other counts: the action was approved before, or needed no approval. */
function secondApproval({ oddity, way }: Life, id: string, atMs: number): Happening[] {
  return oddity === 'second approval' && way === 'run' ? [[atMs, 'action.allowed', id, {}]] : [];
}

function shownFacts({ onScreenMs }: Pick<Life, 'onScreenMs'>): Record<string, number> {
  return { delayMs: 1_000, ...(onScreenMs !== null && { onScreenMs }) };
}
