import { MAX_STEPS_UNDER_WAY, planSteps } from '../../domain/task-schedule.ts';
import type { PlanConfirmation } from '../../store/records/confirmations.ts';
import type { StepRow, TaskRow } from '../../store/records/tasks.ts';
import type { End } from '../confirmations/plan-endings.ts';
import { awaitedSteps, isAwaited } from '../confirmations/plans.ts';
import type { Clock, Context } from '../context.ts';
import { refusalEvent } from '../records/refusal-notes.ts';
import type { Refusal } from '../refusal.ts';
import { isStorageFailure } from '../work/storage-failure.ts';
import { createDeadline, nextTurn } from '../work/turns.ts';
import type { StepChecks, TaskParts } from './checked-steps.ts';
import { createLiveTasks, type LiveTasks } from './live-tasks.ts';
import { afterChange, endedWithout, isWaitingForPlan, refusedStep, scheduled, withStep } from './step-changes.ts';
import { createStepResults, type StepResults } from './step-results.ts';
import { createStepSights } from './step-sights.ts';
import { createStepStart } from './step-start.ts';

const UNANSWERED = 'The prompt for this task ended without an answer; nothing was done.';

/** How a plan's end ends the steps that still wait for its answer. */
const STEP_ENDS = { denied: 'denied', expired: 'expired', withdrawn: 'cancelled' } as const;

export type TaskEngine = ReturnType<typeof createTaskEngine>;

/** How soon a step is tried again that could not begin because the disk or the queue of prompts was full. */
const NO_ROOM_RETRY_MS = 2_000;

/**
 * When to look at a task again. A number: in so many milliseconds. `no room`: after a while. `more`: at once, for the next slice.
 * `undefined`: at its next change.
 */
export type Pause = number | 'no room' | 'more' | undefined;

type Pace = ReturnType<typeof createPace>;

/** `work` begins what may begin in a task, one slice at a time. A change of the rules may begin steps in many tasks. */
export function createPace({ clock, log }: Pick<Context, 'clock' | 'log'>, work: (taskId: string) => Pause) {
  /** The tasks to look at, in the order in which they changed. */
  const due = new Set<string>();
  let isComing = false;
  const timers = new Map<string, () => void>();
  /** Called when all startable steps of a task have begun. */
  const listeners = new Map<string, () => void>();

  /** Does one slice of the work of a task. Answers whether it was the last one. */
  function look(taskId: string): boolean {
    due.delete(taskId);
    timers.get(taskId)?.();
    timers.delete(taskId);
    const pause = worked(taskId);
    if (pause === 'more') {
      due.add(taskId);
      return false;
    }
    listeners.get(taskId)?.();
    listeners.delete(taskId);
    if (pause === undefined) return true;
    const delayMs = pause === 'no room' ? NO_ROOM_RETRY_MS : pause;
    const stop = clock.after(delayMs, () => now(taskId));
    timers.set(taskId, stop);
    return true;
  }

  function worked(taskId: string): Pause {
    try {
      return work(taskId);
    } catch (error) {
      log.error({ err: error, taskId }, 'a step of a task could not be begun');
      return isStorageFailure(error) ? 'no room' : undefined;
    }
  }

  function next(): void {
    const isOver = createDeadline(clock);
    for (const taskId of due) if (!look(taskId) || isOver()) break;
    isComing = false;
    if (due.size > 0) goOn();
  }

  function goOn(): void {
    if (isComing) return;
    isComing = true;
    void nextTurn('/tasks').then(next);
  }

  function now(taskId: string): void {
    if (!look(taskId)) goOn();
  }

  return {
    now,
    /** Runs after the current work, so that one change is complete before the next begins. */
    soon(taskId: string): void {
      due.add(taskId);
      if (isComing) return;
      isComing = true;
      queueMicrotask(next);
    },
    /** As `now`; resolves when all startable steps have begun. */
    begin(taskId: string): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      listeners.set(taskId, resolve);
      now(taskId);
      return promise;
    },
  };
}

/**
 * Runs tasks to their end. The outcome of an action is recorded for its step in the same transaction; the next steps begin
 * after that.
 */
export function createTaskEngine(context: Context, parts: TaskParts & { checks: StepChecks }) {
  const { store, clock } = context;
  const pace = createPace(context, beginSteps);
  const { plans } = parts.confirmations;
  const results = createStepResults(context);
  let ended: (task: TaskRow) => void = () => undefined;
  const noted = (task: TaskRow) => {
    changed(task, { pace, results });
    if (task.finishedAtMs !== undefined) ended(task);
  };
  const tasks = createLiveTasks(context, { changed: noted, follow: plans.closeIfMoot });
  const sights = createStepSights(context, parts, pace.soon);
  const start = createStepStart(context, parts, { tasks, sights, results, checks: parts.checks });
  const dueInMs = createDueTimes(clock);
  let endingSinceMs: number | undefined;

  parts.live.observedBy((to, event, atMs) => {
    const task = to.taskId === undefined ? undefined : tasks.get(to.taskId);
    const step = task?.steps.find(({ id }) => id === to.stepId);
    if (task === undefined || step?.actionId !== to.id) return undefined;
    const next = withStep(task, afterChange(task, step, { to, event, by: { atMs, endingSinceMs } }));
    return tasks.stage(task, next, atMs);
  });

  plans.observedBy((plan, ended, atMs) => {
    const task = tasks.get(plan.taskId);
    if (task === undefined) return undefined;
    const takeIn = tasks.stage(task, afterPlan(task, plan, { ...ended, atMs }), atMs);
    return () => {
      takeIn();
      if (ended.end === 'allowed') pace.now(task.id);
    };
  });

  function beginSteps(taskId: string): Pause {
    const isHeld = endingSinceMs !== undefined || parts.stopped() !== undefined;
    if (isHeld || tasks.get(taskId) === undefined) return undefined;
    const rounds = { tasks, dueInMs, beginStep, isOver: createDeadline(clock) };
    const { aside, hasRoom, isWhole } = beginRounds(taskId, rounds);
    setAside(context, { task: tasks.get(taskId), aside, change });
    if (!isWhole) return 'more';
    return hasRoom ? pauseOf(tasks.get(taskId), dueInMs) : 'no room';
  }

  function beginStep(taskId: string, stepId: string, isOver: () => boolean): Begun {
    const task = tasks.get(taskId);
    const step = task?.steps.find(({ id }) => id === stepId);
    // A step that began just before may have ended this one: a repeated denial stops the others.
    if (task === undefined || step?.status !== 'pending') return undefined;
    const refusal = start(task, step, isOver);
    if (refusal === 'waits' || refusal === 'unread') return refusal;
    if (refusal === undefined || typeof refusal === 'string' || refusal.refused === 'paused') return undefined;
    if (refusal.refused === 'too_many_pending') return 'no room';
    if (task.onFailure === 'continue') return refusal;
    change(task, (atMs) => withStep(task, refusedStep(step, refusal, atMs)), noteOf(context, [refusal]));
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
    /** Lets one other part of the services be told of each task that has ended. */
    observedBy(observer: typeof ended): void {
      ended = observer;
    },
    /** Stores a new state of a task with its consequences, and further writes, in one transaction. */
    change,
    /** Begins what may begin in a task, at once or in pieces. */
    pace,
    /** The pieces of work that load the tasks of an earlier run, before its actions are recovered. */
    load: () => tasks.loads(),
    /** Schedules every task again, after a pause of all tasks has ended. */
    goOn(): void {
      for (const { id } of tasks.all()) pace.soon(id);
    },
    /** From here on no step begins. A step that is stopped only because of the shutdown continues after the next start. */
    end(): void {
      endingSinceMs = clock.nowMs();
    },
  };
}

/** Journals refusals of steps that become no action, for instance because their device lacks a capability. */
function noteOf({ store }: Context, begun: Iterable<'waits' | Refusal>): (atMs: number) => void {
  const refusals = [...begun].filter((each) => each !== 'waits');
  const events = refusals.filter(({ request }) => request !== undefined).map((refusal) => refusalEvent(refusal, 1));
  return (atMs) => {
    for (const event of events) store.journal.append(atMs, event);
  };
}

/** The values that a task took from results are of no use once it has ended. */
function changed(
  { id, finishedAtMs }: TaskRow,
  { pace, results }: { pace: Pick<Pace, 'soon'>; results: StepResults },
): void {
  if (finishedAtMs !== undefined) results.forget(id);
  pace.soon(id);
}

type Begun = 'no room' | 'waits' | 'unread' | Refusal | undefined;
/** Steps that wait for the answer to their plan, or were refused, by id. */
type Aside = ReadonlyMap<string, 'waits' | Refusal>;
type SetAside = {
  task: TaskRow | undefined;
  aside: Aside;
  change(task: TaskRow, work: (atMs: number) => TaskRow, alongside: (atMs: number) => void): void;
};

/** Stores the steps that wait for the answer to their plan or were refused: those of a slice in one transaction. */
function setAside(context: Context, { task, aside, change }: SetAside): void {
  const after = task && afterAside(context, task, aside);
  if (task !== undefined && after !== undefined) change(task, after, noteOf(context, aside.values()));
}

type Rounds = {
  tasks: LiveTasks;
  dueInMs: DueIn;
  beginStep(taskId: string, stepId: string, isOver: () => boolean): Begun;
  isOver(): boolean;
};

/** The task with the steps that wait for their plan or were refused; nothing where there are none. */
function afterAside(context: Context, task: TaskRow, aside: Aside) {
  const waiting = new Set([...aside].filter(([, begun]) => begun === 'waits').map(([id]) => id));
  const [first = ''] = waiting;
  // One of the later steps may have made the plan void; then none waits for it, and the task is looked at again.
  const awaits = first !== '' && isAwaited(context, task.id, first);
  if (!awaits && waiting.size === aside.size) return undefined;
  return (atMs: number) => withRefused(awaits ? withWaiting(task, waiting) : task, aside, atMs);
}

/**
 * Begins what may begin now. A step that waits for the answer to the plan, or was refused and stops no other, makes room for the
 * next: they are stored together.
 */
function beginRounds(taskId: string, { tasks, dueInMs, beginStep, isOver }: Rounds) {
  const aside = new Map<string, 'waits' | Refusal>();
  const held = new Set<'no room' | 'unread'>();
  const hasRoom = () => !held.has('no room');
  for (let size = -1; aside.size > size && !held.has('unread'); ) {
    size = aside.size;
    for (const id of startableBeside(tasks.get(taskId), aside, dueInMs)) {
      const begun = beginStep(taskId, id, isOver);
      if (begun === 'no room' || begun === 'unread') held.add(begun);
      else if (begun !== undefined) aside.set(id, begun);
      if (isOver()) return { aside, hasRoom: hasRoom(), isWhole: false };
    }
  }
  return { aside, hasRoom: hasRoom(), isWhole: !held.has('unread') };
}

function startableBeside(task: TaskRow | undefined, aside: Aside, dueInMs: DueIn): string[] {
  return task === undefined ? [] : startable(withWaiting(task, new Set(aside.keys())), dueInMs);
}

function withWaiting(task: TaskRow, stepIds: ReadonlySet<string>): TaskRow {
  const waiting = (step: StepRow): StepRow =>
    stepIds.has(step.id) && step.status === 'pending' ? { ...step, status: 'awaiting_confirmation' } : step;
  return { ...task, steps: task.steps.map(waiting) };
}

function withRefused(task: TaskRow, aside: Aside, atMs: number): TaskRow {
  const steps = task.steps.map((step) => {
    const begun = aside.get(step.id) ?? 'waits';
    return begun === 'waits' || step.status !== 'pending' ? step : refusedStep(step, begun, atMs);
  });
  return { ...task, steps };
}

type DueIn = ReturnType<typeof createDueTimes>;

/**
 * The steps to begin now: retries that are due, and steps whose dependencies have ended. A step that waits for a retry keeps
 * its place among those under way. A step that the person restarts waits for a free place.
 */
function startable(task: TaskRow, dueInMs: DueIn): string[] {
  if (task.cancelRequestedAtMs !== undefined) return [];
  const plan = task.steps.map(scheduled);
  const busy = plan.filter((step, index) => step.isUnderWay && task.steps[index]?.retryAtMs === undefined);
  const due = task.steps.filter((step) => (dueInMs(step) ?? 1) <= 0).map(({ id }) => id);
  return [...due.slice(0, Math.max(0, MAX_STEPS_UNDER_WAY - busy.length)), ...planSteps(plan, task.onFailure).start];
}

/** A step that is due but has not begun waits for another step to end, so it sets no timer. */
function pauseOf(task: TaskRow | undefined, dueInMs: DueIn): number | undefined {
  const waits = task?.steps.flatMap((step) => dueInMs(step) ?? []).filter((waitMs) => waitMs > 0) ?? [];
  return waits.length === 0 ? undefined : Math.min(...waits);
}

/**
 * In how many milliseconds the next attempt of a step is due, at or below 0 when it is; nothing when none is to come. The wall
 * clock is asked once: when it is set while a step waits, the step neither hurries nor hangs.
 */
function createDueTimes(clock: Clock): (step: StepRow) => number | undefined {
  const dueAtMs = new WeakMap<StepRow, number>();

  function pauseMs(step: StepRow, retryAtMs: number): number {
    const longestMs = step.backoffMs * 2 ** Math.max(0, step.attempts - step.recoveries - 1);
    return Math.min(Math.max(0, retryAtMs - clock.nowMs()), longestMs);
  }

  return (step) => {
    if (step.retryAtMs === undefined) return undefined;
    const dueMs = dueAtMs.get(step) ?? clock.monotonicMs() + pauseMs(step, step.retryAtMs);
    dueAtMs.set(step, dueMs);
    return dueMs - clock.monotonicMs();
  };
}

/** The task after its plan ended: a plan that was allowed or became void lets its steps go on; any other end ends those that it asked for. */
function afterPlan(
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
