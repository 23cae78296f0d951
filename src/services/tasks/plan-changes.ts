import type { PlanConfirmation } from '../../store/records/confirmations.ts';
import type { StepRow, TaskRow } from '../../store/records/tasks.ts';
import type { End } from '../confirmations/plan-end.ts';
import { awaitedSteps } from '../confirmations/plans.ts';
import { endedWithout, isWaitingForPlan } from './step-changes.ts';

const UNANSWERED = 'The prompt for this task ended without an answer; nothing was done.';

/** The task after its plan ended: a denial or expiry ends every step that the plan asked for; otherwise the steps go on. */
export function afterPlan(
  task: TaskRow,
  plan: PlanConfirmation,
  { end, because, error, atMs }: Pick<End, 'end' | 'because' | 'error'> & { atMs: number },
): TaskRow {
  const awaited = new Set(awaitedSteps(task, plan).map(({ id }) => id));
  const change = (step: StepRow): StepRow => {
    if ((end === 'denied' || end === 'expired') && awaited.has(step.id))
      return endedWithout(step, { status: end, atMs, details: because ?? UNANSWERED, error });
    return isWaitingForPlan(step) ? { ...step, status: 'pending' } : step;
  };
  return { ...task, steps: task.steps.map(change) };
}
