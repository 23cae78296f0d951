import type { PlanConfirmation } from '../../store/records/confirmations.ts';
import type { StepRow, TaskRow } from '../../store/records/tasks.ts';
import type { End } from '../confirmations/plan-end.ts';
import { awaitedSteps } from '../confirmations/plans.ts';
import { endedWithout, isWaitingForPlan } from './step-changes.ts';

const UNANSWERED = 'The prompt for this task ended without an answer; nothing was done.';

/** How a plan's end ends the steps that still wait for its answer. */
const STEP_ENDS = { denied: 'denied', expired: 'expired', withdrawn: 'cancelled' } as const;

/** The task after its plan ended: a plan that was allowed or became void lets its steps go on; any other end ends those that it asked for. */
export function afterPlan(
  task: TaskRow,
  plan: PlanConfirmation,
  { end, because, error, atMs }: Pick<End, 'end' | 'because' | 'error'> & { atMs: number },
): TaskRow {
  const awaited = new Set(awaitedSteps(task, plan).map(({ id }) => id));
  const change = (step: StepRow): StepRow => {
    if (end !== 'allowed' && end !== 'voided' && awaited.has(step.id))
      return endedWithout(step, { status: STEP_ENDS[end], atMs, details: because ?? UNANSWERED, error });
    return isWaitingForPlan(step) ? { ...step, status: 'pending' } : step;
  };
  return { ...task, steps: task.steps.map(change) };
}
