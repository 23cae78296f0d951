import type { JournalMetadata } from '../../store/journal.ts';
import type { StepRow, TaskRow } from '../../store/tasks.ts';
import type { Context } from '../context.ts';

/**
 * Stores what changed between two states of a task, with its journal events; only inside a write transaction. Throws when
 * the stored task is not where `from` was.
 */
export function recordTask(context: Context, from: TaskRow, to: TaskRow, atMs: number): void {
  for (const [index, step] of to.steps.entries()) {
    const before = from.steps[index];
    if (before !== undefined && before !== step) recordStep(context, to, { before, step, atMs });
  }
  const { store } = context;
  if (!store.tasks.update(from, to)) throw new Error(`the stored task ${from.id} is not ${from.status} any more`);
  if (from.startedAtMs === undefined && to.startedAtMs !== undefined)
    store.journal.append(atMs, { kind: 'task.started', userId: to.userId, metadata: { taskId: to.id } });
  if (to.status === from.status || (to.finishedAtMs === undefined && to.status !== 'needs_attention')) return;
  const succeeded = to.steps.filter(({ status }) => status === 'success').length;
  store.journal.append(atMs, {
    kind: to.finishedAtMs === undefined ? 'task.needs_attention' : 'task.ended',
    userId: to.userId,
    metadata: { taskId: to.id, status: to.status, steps: to.steps.length, succeeded, ...endFacts(to) },
  });
}

/** What the measures ask of an end: who ended it, and how long it worked, waiting for a person left out. The clock may have been set back. */
function endFacts({ startedAtMs, finishedAtMs, askedMs, cancelledBy }: TaskRow): JournalMetadata {
  const hasWorked = startedAtMs !== undefined && finishedAtMs !== undefined;
  return {
    ...(hasWorked ? { workedMs: Math.max(0, finishedAtMs - startedAtMs - askedMs) } : {}),
    ...(cancelledBy === undefined ? {} : { by: cancelledBy }),
  };
}

function recordStep(
  { store }: Context,
  { id: taskId, userId }: TaskRow,
  { before, step, atMs }: { before: StepRow; step: StepRow; atMs: number },
): void {
  if (!store.tasks.updateStep(taskId, before, step))
    throw new Error(`the stored step ${step.id} of task ${taskId} is not ${before.status} any more`);
  if (step.status === before.status && step.retryAtMs === before.retryAtMs) return;
  store.journal.append(atMs, {
    kind: 'task.step_changed',
    userId,
    deviceId: step.deviceId,
    actionId: step.actionId,
    // `status` is the task's own, which the measures count.
    metadata: {
      taskId,
      stepId: step.id,
      stepStatus: step.status,
      attempts: step.attempts,
      recoveries: step.recoveries,
    },
  });
}
