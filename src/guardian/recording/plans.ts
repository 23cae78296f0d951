import type { KnownEvent } from '../../domain/journal/journal-event.ts';
import { type AskedFor, countAllowed, countDenied, countShown } from './prompts.ts';
import type { Rollup } from './rollup.ts';

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
