import { isPersonsInterruption } from '../../domain/persons-answer.ts';
import type { StepRow, TaskRow } from '../../store/records/tasks.ts';
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
    metadata: {
      taskId: to.id,
      status: to.status,
      steps: to.steps.length,
      succeeded,
      ...endFacts(context, to),
      ...interventionFact(context, to),
    },
  });
}

/** Facts that Guardian counts: who ended the task, and how long it worked, without the time it waited for the person. The clock may have been set back. */
function endFacts(context: Context, task: TaskRow) {
  const { startedAtMs, finishedAtMs, askedMs, cancelledBy } = task;
  const hasWorked = startedAtMs !== undefined && finishedAtMs !== undefined;
  return {
    ...(hasWorked ? { workedMs: Math.max(0, finishedAtMs - startedAtMs - askedMs) } : {}),
    by: cancelledBy,
    ...personsEnd(context, task),
  };
}

/**
 * The person stopped the task after it had begun, or cancelled a step of it. The end of the task says so, as only then it is counted: as
 * a share of the tasks that began.
 */
function interventionFact({ store }: Context, { startedAtMs, finishedAtMs, cancelledBy, steps }: TaskRow) {
  if (startedAtMs === undefined || finishedAtMs === undefined) return {};
  const cancelled = steps.flatMap(({ status, actionId }) => (status === 'cancelled' && actionId ? [actionId] : []));
  const hasIntervened =
    cancelledBy === 'person' || (cancelled.length > 0 && store.actions.hasCancelOfPerson(cancelled));
  return hasIntervened ? { intervened: true } : {};
}

/** The person denied or interrupted some of a failed task, and nothing else that ran has failed. */
function personsEnd(context: Context, task: TaskRow): { because?: 'denied' | 'interrupted' } {
  const failed = task.steps.filter((step) => step.status === 'failed');
  if (task.status !== 'failed' || !failed.every(({ error }) => isPersonsInterruption(error?.code))) return {};
  if (isDeniedByPerson(context, task)) return { because: 'denied' };
  return failed.length > 0 ? { because: 'interrupted' } : {};
}

/** Whether the person denied the plan or a step. A step that the rules denied had no prompt. */
function isDeniedByPerson({ store: { confirmations } }: Context, { id, steps }: TaskRow): boolean {
  const denied = steps.filter(({ status }) => status === 'denied');
  if (denied.length === 0) return false;
  const prompts = [
    confirmations.findByTask(id),
    ...denied.map(({ actionId = '' }) => confirmations.findByAction(actionId)),
  ];
  return prompts.some((prompt) => prompt?.status === 'denied');
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
