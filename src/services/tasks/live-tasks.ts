import type { TaskStatus } from '../../contract/task.ts';
import { isPersonsInterruption } from '../../domain/persons-answer.ts';
import type { StepRow, TaskRow } from '../../store/records/tasks.ts';
import type { Context } from '../context.ts';
import type { Piece } from '../work/slices.ts';
import { isAtRest, settled } from './step-changes.ts';

export type LiveTasks = ReturnType<typeof createLiveTasks>;

type RestListener = (task: TaskRow) => void;

type Parts = {
  /** Told of every state that was stored. */
  changed(task: TaskRow): void;
  /** Records further consequences of a state, in the same transaction; the returned function is called after the commit. */
  follow(task: TaskRow, atMs: number): (() => void) | undefined;
};

/**
 * Stores what changed between two states of a task, with its journal events; only inside a write transaction. Throws when
 * the stored task is not where `from` was.
 */
function recordTask(context: Context, from: TaskRow, to: TaskRow, atMs: number): void {
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
  if (isDeniedByPerson(context, task)) return { because: 'denied' }; // guard E-28
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

/** The tasks that have not ended, in memory as they are in the store, and the one way to change them. */
export function createLiveTasks(context: Context, { changed, follow }: Parts) {
  const tasks = new Map<string, TaskRow>();
  const waiting = new Map<string, Set<RestListener>>();
  const byStatus = new Map<TaskStatus, number>();

  function count({ status }: TaskRow, by: 1 | -1): void {
    byStatus.set(status, (byStatus.get(status) ?? 0) + by);
  }

  function keep(task: TaskRow): void {
    const before = tasks.get(task.id);
    if (before !== undefined) count(before, -1);
    if (task.finishedAtMs === undefined) {
      tasks.set(task.id, task);
      count(task, 1);
    } else tasks.delete(task.id);
    if (isAtRest(task)) {
      const callbacks = waiting.get(task.id) ?? [];
      waiting.delete(task.id);
      for (const callback of callbacks) callback(task);
    }
    changed(task);
  }

  return {
    get: (id: string): TaskRow | undefined => tasks.get(id),
    all: (): TaskRow[] => [...tasks.values()],
    /** How many tasks that have not ended have a status. */
    countOf: (status: TaskStatus): number => byStatus.get(status) ?? 0,
    /** Takes in a task that was just stored, or found at start. */
    keep,
    /** The pieces of work that take in the tasks that are stored and have not ended. */
    *loads(): Generator<Piece> {
      for (const id of context.store.tasks.liveIds()) {
        yield () => {
          const task = context.store.tasks.findById(id);
          if (task !== undefined) keep(task);
        };
      }
    },
    /**
     * Records a new state with all its consequences; only inside a write transaction. Call the returned function after the
     * commit: it updates the memory.
     */
    stage(from: TaskRow, to: TaskRow, atMs: number): () => void {
      const next = settled(to, atMs);
      // A prompt that the task no longer needs ends before the task does: nothing is counted for a task that has ended.
      const followUp = follow(next, atMs);
      recordTask(context, from, next, atMs);
      return () => {
        keep(next);
        followUp?.();
      };
    },
    /** Calls back once when nothing more happens in a task by itself; the answer calls it off. */
    whenAtRest(id: string, callback: RestListener): () => void {
      const callbacks = waiting.get(id) ?? new Set();
      waiting.set(id, callbacks.add(callback));
      return () => void callbacks.delete(callback);
    },
  };
}
