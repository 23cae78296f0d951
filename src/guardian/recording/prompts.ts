import type { KnownEvent } from '../../domain/journal/journal-event.ts';
import { addValue, type Rollup } from './rollup.ts';

/** Our own: an answer sooner than this after the prompt could be answered was hardly a thought. */
const HASTY_MS = 2_000;

/** A prompt for an action or for the plan of a task. `isWaiting`: it has no answer yet. `isDecided`: the action or plan may run. */
export type AskedFor = {
  isElevated: boolean;
  isDecided: boolean;
  isWaiting: boolean;
  answerableAtMs?: number;
  onScreenMs?: number;
};

export function countShown(
  asked: AskedFor,
  { atMs, metadata }: KnownEvent<'confirmation.shown'>,
  { counters }: Rollup,
): void {
  asked.answerableAtMs = atMs + (metadata?.delayMs ?? 0);
  asked.onScreenMs = metadata?.onScreenMs ?? asked.onScreenMs ?? 0;
  counters.promptShown += 1;
}

export function countAllowed(asked: AskedFor, { atMs }: { atMs: number }, rollup: Rollup): void {
  const { counters } = rollup;
  asked.isDecided = true;
  asked.isWaiting = false;
  counters.promptAllowed += 1;
  if (asked.isElevated) counters.promptAllowedElevated += 1;
  if (asked.answerableAtMs === undefined) return;
  addValue(rollup.responseMs, Math.max(0, atMs - asked.answerableAtMs));
  const readMs = atMs - asked.answerableAtMs + (asked.onScreenMs ?? 0);
  if (asked.isElevated && readMs < HASTY_MS) counters.promptAllowedHastily += 1;
}

/** A denial that could be undone is recorded `heldMs` after the person made it. */
export function countDenied(
  asked: AskedFor,
  { atMs, metadata }: KnownEvent<'action.denied' | 'task.plan_denied'>,
  rollup: Rollup,
): void {
  rollup.counters.promptDenied += 1;
  const answeredAtMs = atMs - (metadata?.heldMs ?? 0);
  if (asked.answerableAtMs !== undefined) addValue(rollup.responseMs, Math.max(0, answeredAtMs - asked.answerableAtMs));
}

type Plan = AskedFor & { taskId: string | undefined };

type End = KnownEvent<`task.plan_${'allowed' | 'denied' | 'expired' | 'withdrawn' | 'voided'}`>;

/** Counts the prompts for whole plans: each is one prompt with one answer, however many steps it is for. */
export function createPlanRecorder() {
  const plans = new Map<string, Plan>();
  return {
    asked({ confirmationId, metadata }: KnownEvent<'task.plan_asked'>, { counters }: Rollup): void {
      if (confirmationId === undefined) return;
      const isElevated = metadata?.risk !== 'low';
      plans.set(confirmationId, { isElevated, isDecided: false, isWaiting: true, taskId: metadata?.taskId });
      counters.prompted += 1;
    },
    shown(event: KnownEvent<'confirmation.shown'>, rollup: Rollup): void {
      const plan = plans.get(event.confirmationId ?? '');
      if (plan !== undefined) countShown(plan, event, rollup);
    },
    ended(event: End, rollup: Rollup): void {
      if (event.confirmationId === undefined) return;
      const plan = plans.get(event.confirmationId);
      if (event.kind === 'task.plan_allowed' && plan?.isWaiting !== true) rollup.counters.approvedUnasked += 1;
      if (plan !== undefined) countEnd(plan, event, rollup);
    },
    taskEnded({ metadata }: KnownEvent<'task.ended'>): void {
      for (const [id, plan] of plans) if (plan.taskId === metadata?.taskId) plans.delete(id);
    },
    /** Whether the person allowed this plan, and it is not void. */
    isDecided: (confirmationId: string): boolean => plans.get(confirmationId)?.isDecided === true,
  };
}

function countEnd(plan: Plan, event: End, rollup: Rollup): void {
  plan.isWaiting = false;
  switch (event.kind) {
    case 'task.plan_allowed':
      countAllowed(plan, event, rollup);
      return;
    case 'task.plan_denied':
      countDenied(plan, event, rollup);
      return;
    case 'task.plan_expired':
      rollup.counters.promptExpired += 1;
      return;
    case 'task.plan_withdrawn':
      return;
    case 'task.plan_voided':
      plan.isDecided = false;
      return;
  }
  event satisfies never;
}
