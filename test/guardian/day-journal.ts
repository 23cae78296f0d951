import type { LooseEvent } from '../store/other-build.ts';

const HOUR_MS = 3_600_000;

/** An event as the daemon would journal it, at a time in epoch milliseconds. */
export type DayEvent = LooseEvent & { atMs: number };

/** Actions of one kind, one after the other. `answer`: the person is asked, and answers `afterMs` after the prompt could be answered. */
export type Batch = {
  atHour: number;
  count: number;
  /** Between two requests. */
  everyMs: number;
  type?: string;
  target?: string;
  risk?: 'low' | 'medium' | 'high' | 'critical';
  irreversible?: boolean;
  by?: 'profile' | 'grant' | 'nobody';
  answer?: 'allowed' | 'denied' | 'expired';
  afterMs?: number;
  fails?: boolean;
  /** Every request is for the very same action. */
  isRepeated?: boolean;
  userId?: string;
};

export type Task = { atHour: number; status: 'success' | 'failed' };

/** The events of one day. Hours are of the day, UTC; the daemon runs from `upFromHour` to `upToHour`. */
export type DayPlan = {
  upFromHour: number;
  upToHour: number;
  batches: readonly Batch[];
  tasks: readonly Task[];
  others: readonly (LooseEvent & { atHour: number })[];
};

/** The events of a day that starts at a time, in order. `name` keeps the ids of different days apart. */
export function dayEvents(plan: DayPlan, { startMs, name }: { startMs: number; name: string }): DayEvent[] {
  const at = (hour: number) => startMs + Math.round(hour * HOUR_MS);
  const happened = [
    { atMs: at(plan.upFromHour) + 4_000, kind: 'agent.readiness', metadata: { ready: true } },
    ...plan.batches.flatMap((batch, index) => batchEvents(batch, { startMs, name: `${name}.${index}` })),
    ...plan.tasks.flatMap((task, index) => taskEvents(task, { startMs, taskId: `tsk_${name}.${index}` })),
    ...plan.others.map(({ atHour, ...event }) => ({ ...event, atMs: at(atHour) })),
  ];
  return [
    { atMs: at(plan.upFromHour), kind: 'daemon.started' },
    ...happened.toSorted((one, other) => one.atMs - other.atMs),
    { atMs: at(plan.upToHour), kind: 'daemon.stopped' },
  ];
}

type Of = { startMs: number; name: string };

function batchEvents(batch: Batch, { startMs, name }: Of): DayEvent[] {
  return Array.from({ length: batch.count }, (_, index) => {
    const atMs = startMs + Math.round(batch.atHour * HOUR_MS) + index * batch.everyMs;
    return actionEvents(batch, { atMs, id: `${name}.${index}`, digest: batch.isRepeated ? name : `${name}.${index}` });
  }).flat();
}

function actionEvents(batch: Batch, { atMs, id, digest }: { atMs: number; id: string; digest: string }): DayEvent[] {
  const { type = 'Click', target = 'browser', risk = 'low', irreversible = false, userId = 'assistant' } = batch;
  const of = { userId, actionId: `act_${id}` };
  const isAsked = batch.answer !== undefined || batch.by === 'nobody';
  const metadata = {
    type,
    target,
    risk,
    irreversible,
    digest,
    verdict: isAsked ? 'ask' : 'allow',
    by: batch.by === 'grant' ? 'grt_1' : 'profile',
  };
  const requested = { ...of, atMs, kind: 'action.requested', metadata };
  const answered = batch.answer === undefined ? [] : answerEvents(batch, { ...of, atMs: atMs + 200 });
  if (batch.answer === 'denied' || batch.answer === 'expired') return [requested, ...answered];
  return [requested, ...answered, ...runEvents(batch, { ...of, atMs: (answered.at(-1)?.atMs ?? atMs) + 20 })];
}

type OfAction = { userId: string; actionId: string; atMs: number };

const ANSWER_DELAY_MS = 1_000;
const STATUS = { allowed: 'queued', denied: 'denied', expired: 'expired' } as const;

function answerEvents({ answer = 'allowed', afterMs = 6_000 }: Batch, { atMs, ...of }: OfAction): DayEvent[] {
  const confirmationId = of.actionId.replace('act_', 'cnf_');
  const waitedMs = ANSWER_DELAY_MS + (answer === 'expired' ? 90_000 : afterMs);
  const metadata = { status: STATUS[answer], confirmationId };
  return [
    { ...of, confirmationId, atMs, kind: 'confirmation.shown', metadata: { delayMs: ANSWER_DELAY_MS } },
    { ...of, confirmationId, atMs: atMs + waitedMs, kind: `action.${answer}`, metadata },
  ];
}

function runEvents({ fails = false }: Batch, { atMs, ...of }: OfAction): DayEvent[] {
  const end = fails ? { kind: 'action.failed', status: 'failed' } : { kind: 'action.succeeded', status: 'success' };
  return [
    { ...of, atMs, kind: 'action.dispatched', metadata: { status: 'running', attempt: 1 } },
    { ...of, atMs: atMs + 300, kind: end.kind, metadata: { status: end.status } },
  ];
}

function taskEvents({ atHour, status }: Task, { startMs, taskId }: { startMs: number; taskId: string }): DayEvent[] {
  const atMs = startMs + Math.round(atHour * HOUR_MS);
  return [
    { atMs, kind: 'task.started', userId: 'assistant', metadata: { taskId } },
    {
      atMs: atMs + 60_000,
      kind: 'task.ended',
      userId: 'assistant',
      metadata: { taskId, status, by: 'daemon', workedMs: 55_000 },
    },
  ];
}
