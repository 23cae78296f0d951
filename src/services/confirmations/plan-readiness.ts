import type { PlanHead } from '../../store/records/confirmations.ts';
import type { StepRow, TaskRow } from '../../store/records/tasks.ts';
import { ALLOWED_LASTS_MS } from '../actions/dispatch.ts';
import type { Context } from '../context.ts';

/**
 * Since when a step of an allowed plan could have been sent. Nothing after two minutes, or when its last attempt was not sent in
 * time. Such a step asks by itself: its requester must not choose a later moment by filling the places.
 */
export function readySinceMs(
  { store, clock }: Context,
  { task, step, plan, heldUntilMs }: { task: TaskRow; step: StepRow; plan: PlanHead; heldUntilMs: number },
): number | undefined {
  const { dependsOn, retryAtMs = 0, actionId } = step;
  const ends = task.steps.filter(({ id }) => dependsOn.includes(id)).map(({ finishedAtMs = 0 }) => finishedAtMs);
  const sinceMs = Math.max(plan.decidedAtMs ?? 0, retryAtMs, heldUntilMs, ...ends);
  if (clock.nowMs() - sinceMs >= ALLOWED_LASTS_MS) return undefined;
  const wasLate = actionId !== undefined && store.actions.findById(actionId)?.status === 'expired';
  return wasLate ? undefined : sinceMs;
}
