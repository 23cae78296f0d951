import { MAX_STEPS_UNDER_WAY, planSteps } from '../../domain/task-schedule.ts';
import type { StepRow, TaskRow } from '../../store/tasks.ts';
import type { SubmissionParts } from '../actions/submission.ts';
import { isAwaited } from '../confirmations/plans.ts';
import type { Context } from '../context.ts';
import { createDueTimes } from './due-times.ts';
import { createLiveTasks, type LiveTasks } from './live-tasks.ts';
import { createPace } from './pace.ts';
import { afterPlan } from './plan-changes.ts';
import { refusedStep } from './refused-step.ts';
import { afterChange, scheduled, withStep } from './step-changes.ts';
import { createStepStart } from './step-start.ts';
import { createWindowLooks } from './window-looks.ts';

export type TaskEngine = ReturnType<typeof createTaskEngine>;

/**
 * Sees tasks to their end. What becomes of an action is recorded for its step in the same transaction; what may begin next
 * begins after that.
 */
export function createTaskEngine(context: Context, parts: SubmissionParts) {
  const { store, clock } = context;
  const pace = createPace(context, beginSteps);
  const { plans } = parts.confirmations;
  const tasks = createLiveTasks(context, { changed: ({ id }) => pace.soon(id), follow: plans.closeIfMoot });
  const looks = createWindowLooks(context, parts, pace.soon);
  const start = createStepStart(context, parts, { tasks, looks, again: pace.soon });
  const dueInMs = createDueTimes(clock);
  let endingSinceMs: number | undefined;

  parts.live.observedBy((to, event, atMs) => {
    const task = to.taskId === undefined ? undefined : tasks.get(to.taskId);
    const step = task?.steps.find(({ id }) => id === to.stepId);
    if (task === undefined || step?.actionId !== to.id) return undefined;
    return tasks.stage(task, withStep(task, afterChange(task, step, { to, event, by: { atMs, endingSinceMs } })), atMs);
  });

  plans.observedBy((plan, { end, because }, atMs) => {
    const task = tasks.get(plan.taskId);
    if (task === undefined || end === 'withdrawn') return undefined;
    const takeIn = tasks.stage(task, afterPlan(task, plan, { end, because, atMs }), atMs);
    return () => {
      takeIn();
      if (end === 'allowed') pace.now(task.id);
    };
  });

  function beginSteps(taskId: string): number | 'no room' | undefined {
    const isHeld = endingSinceMs !== undefined || parts.stopped() !== undefined;
    if (isHeld || tasks.get(taskId) === undefined) return undefined;
    const { waiting, hasRoom } = beginRounds(taskId, { tasks, dueInMs, beginStep });
    letWait(taskId, waiting);
    return hasRoom ? pauseOf(tasks.get(taskId), dueInMs) : 'no room';
  }

  /** Marks the steps that wait for the answer to their plan: a hundred of them in one transaction. */
  function letWait(taskId: string, stepIds: ReadonlySet<string>): void {
    const task = tasks.get(taskId);
    const [first] = stepIds;
    // One of the later steps may have made the plan void; then none waits for it, and the task is looked at again.
    if (task === undefined || first === undefined || !isAwaited(context, taskId, first)) return;
    change(task, () => withWaiting(task, stepIds));
  }

  function beginStep(taskId: string, stepId: string): Begun {
    const task = tasks.get(taskId);
    const step = task?.steps.find(({ id }) => id === stepId);
    // What was begun just before it may have ended it: a denial that is repeated stops the others.
    if (task === undefined || step?.status !== 'pending') return undefined;
    const refusal = start(task, step);
    if (refusal === 'waits') return 'waits';
    if (refusal === undefined || refusal === 'looks' || refusal.refused === 'paused') return undefined;
    if (refusal.refused === 'too_many_pending') return 'no room';
    change(task, (atMs) => withStep(task, refusedStep(step, refusal, atMs)));
    return undefined;
  }

  function change(task: TaskRow, work: (atMs: number) => TaskRow, alongside?: (atMs: number) => void): void {
    const atMs = clock.nowMs();
    const takeIn = store.write('durable', () => {
      alongside?.(atMs);
      return tasks.stage(task, work(atMs), atMs);
    });
    takeIn();
  }

  return {
    tasks,
    /** Stores another state of a task and what follows from it, with further writes, in one transaction. */
    change,
    /** Begins at once what may begin in a task that was just stored. */
    advance: pace.now,
    /** Takes in what an earlier run left, before its actions are recovered. */
    load(): void {
      for (const task of store.tasks.live()) tasks.keep(task);
    },
    /** Looks at every task again: what held all of them has ended. */
    goOn(): void {
      for (const { id } of tasks.all()) pace.soon(id);
    },
    /** From here on nothing begins, and what is stopped for that alone goes on after the next start. */
    end(): void {
      endingSinceMs = clock.nowMs();
    },
  };
}

type Begun = 'no room' | 'waits' | undefined;
type Rounds = { tasks: LiveTasks; dueInMs: DueIn; beginStep(taskId: string, stepId: string): Begun };

/** Begins what may begin now. A step that waits for the answer to the plan makes room for the next: they are stored together. */
function beginRounds(taskId: string, { tasks, dueInMs, beginStep }: Rounds) {
  const waiting = new Set<string>();
  let hasRoom = true;
  for (let size = -1; waiting.size > size; ) {
    size = waiting.size;
    const task = tasks.get(taskId);
    for (const id of task === undefined ? [] : startable(withWaiting(task, waiting), dueInMs)) {
      const begun = beginStep(taskId, id);
      if (begun === 'waits') waiting.add(id);
      hasRoom &&= begun !== 'no room';
    }
  }
  return { waiting, hasRoom };
}

function withWaiting(task: TaskRow, stepIds: ReadonlySet<string>): TaskRow {
  const waiting = (step: StepRow): StepRow =>
    stepIds.has(step.id) && step.status === 'pending' ? { ...step, status: 'awaiting_confirmation' } : step;
  return { ...task, steps: task.steps.map(waiting) };
}

type DueIn = ReturnType<typeof createDueTimes>;

/**
 * What may begin now: attempts that are due again, and steps whose turn it is. Whoever waits for its next attempt has a place
 * among those under way, but for a step that the person has begin anew: that one waits for a place.
 */
function startable(task: TaskRow, dueInMs: DueIn): string[] {
  if (task.cancelRequestedAtMs !== undefined) return [];
  const plan = task.steps.map(scheduled);
  const busy = plan.filter((step, index) => step.isUnderWay && task.steps[index]?.retryAtMs === undefined);
  const due = task.steps.filter((step) => (dueInMs(step) ?? 1) <= 0).map(({ id }) => id);
  return [...due.slice(0, Math.max(0, MAX_STEPS_UNDER_WAY - busy.length)), ...planSteps(plan, task.onFailure).start];
}

/** What is due and has not begun waits for something else to end, and not for the time. */
function pauseOf(task: TaskRow | undefined, dueInMs: DueIn): number | undefined {
  const waits = task?.steps.flatMap((step) => dueInMs(step) ?? []).filter((waitMs) => waitMs > 0) ?? [];
  return waits.length === 0 ? undefined : Math.min(...waits);
}
