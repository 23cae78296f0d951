import { type AskedFor, countAllowed, countDenied, countShown } from './prompts.ts';
import type { RecordedEvent } from './recorded-event.ts';
import type { Rollup } from './rollup.ts';

type Plan = AskedFor & { taskId: unknown };

const PLAN_ENDS = new Set(['task.plan_denied', 'task.plan_expired', 'task.plan_withdrawn', 'task.plan_voided']);

/** Counts the prompts for whole plans: each is one prompt with one answer, however many steps it is for. */
export function createPlanRecorder() {
  const plans = new Map<string, Plan>();

  function ofPlan(plan: Plan, event: RecordedEvent, rollup: Rollup): void {
    if (event.kind === 'task.plan_allowed' && !plan.isWaiting) rollup.counters.approvedUnasked += 1;
    if (event.kind === 'confirmation.shown') countShown(plan, event, rollup);
    if (event.kind === 'task.plan_allowed') countAllowed(plan, event, rollup);
    if (event.kind === 'task.plan_denied') countDenied(plan, event, rollup);
    if (event.kind === 'task.plan_expired') rollup.counters.promptExpired += 1;
    if (event.kind === 'task.plan_voided') plan.isDecided = false;
    if (PLAN_ENDS.has(event.kind)) plan.isWaiting = false;
  }

  return {
    note(event: RecordedEvent, rollup: Rollup): void {
      const { kind, confirmationId = '', metadata } = event;
      if (kind === 'task.plan_asked') {
        const isElevated = metadata?.risk !== 'low';
        plans.set(confirmationId, { isElevated, isDecided: false, isWaiting: true, taskId: metadata?.taskId });
        rollup.counters.prompted += 1;
      }
      const plan = plans.get(confirmationId);
      if (plan !== undefined) ofPlan(plan, event, rollup);
      else if (kind === 'task.plan_allowed') rollup.counters.approvedUnasked += 1;
      if (kind === 'task.ended') forget(metadata?.taskId);
    },
    /** Whether the person allowed this plan, and it is not void. */
    isDecided: (confirmationId: string): boolean => plans.get(confirmationId)?.isDecided === true,
  };

  function forget(taskId: unknown): void {
    for (const [id, plan] of plans) if (plan.taskId === taskId) plans.delete(id);
  }
}
