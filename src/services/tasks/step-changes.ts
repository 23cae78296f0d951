import type { ActionError, ActionStatus, FailureCode } from '../../contract/action.ts';
import type { StepStatus } from '../../contract/task.ts';
import { type ActionEvent, actionError } from '../../domain/action-state.ts';
import { isStepEnded, planSteps, type ScheduledStep, taskStatusOf } from '../../domain/task-schedule.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { StepRow, TaskRow } from '../../store/records/tasks.ts';
import type { Refusal } from '../refusal.ts';

/** How often a step is sent again because the daemon or the agent was lost. */
export const MAX_RECOVERIES = 3;

/** The state around a step when its action changes. */
export type Circumstances = {
  atMs: number;
  /** When the daemon began to stop. A step that is stopped only for that reason continues after the next start. */
  endingSinceMs: number | undefined;
};

/** A step whose next attempt has just been stored. */
export function afterAttempt(step: StepRow, action: ActionRow): StepRow {
  const begun: StepRow = {
    ...step,
    actionId: action.id,
    attempts: step.attempts + 1,
    retryAtMs: undefined,
    risk: action.risk,
  };
  return { ...begun, ...fieldsFrom(action, begun) };
}

/** A step whose latest attempt has changed: it follows its action, unless there is another attempt to come. */
export function afterChange(
  task: TaskRow,
  step: StepRow,
  change: { to: ActionRow; event: ActionEvent; by: Circumstances },
): StepRow {
  const { to, event, by } = change;
  if (task.cancelRequestedAtMs === undefined) {
    if (isToBeRecovered(step, change)) return { ...again(step, by.atMs), recoveries: step.recoveries + 1 };
    if (isHandedBack(to, event, by) || hasLostPlan(to, event)) return again(step, by.atMs);
    const tries = step.attempts - step.recoveries;
    if (to.status === 'failed' && tries < step.maxAttempts)
      return again(step, by.atMs + step.backoffMs * 2 ** (tries - 1));
  }
  return { ...step, ...fieldsFrom(to, step) };
}

type EndWithout = { status: StepStatus; atMs: number } & (
  | { failure: { code: FailureCode; message: string } }
  | { details: string; error?: ActionError | undefined }
);

/** A step that ends without an action, with the failure or the sentence that says why. */
export function endedWithout(step: StepRow, end: EndWithout): StepRow {
  const why =
    'failure' in end
      ? { error: actionError(end.failure.code, end.failure.message) }
      : { details: end.details, ...(end.error && { error: end.error }) };
  return { ...step, status: end.status, retryAtMs: undefined, finishedAtMs: end.atMs, ...why };
}

/** The task with one of its steps replaced. */
export function withStep(task: TaskRow, step: StepRow): TaskRow {
  return { ...task, steps: task.steps.map((other) => (other.id === step.id ? step : other)) };
}

/**
 * The consequences of step changes for the task: steps that can no longer run are skipped or cancelled, and the status is
 * derived.
 */
export function settled(task: TaskRow, atMs: number): TaskRow {
  const { skip } = planSteps(task.steps.map(scheduled), task.onFailure);
  const isCancelled = task.cancelRequestedAtMs !== undefined;
  const steps = task.steps.map((step) => {
    if (isCancelled && hasNothingUnderWay(step))
      return endedWithout(step, { status: 'cancelled', atMs, details: CANCELLED_WITH_TASK });
    return skip.includes(step.id) ? endedWithout(step, { status: 'skipped', atMs, details: whySkipped(step) }) : step;
  });
  const status = taskStatusOf(steps.map(scheduled));
  const hasBegun = steps.some(({ startedAtMs }) => startedAtMs !== undefined);
  const startedAtMs = task.startedAtMs ?? (hasBegun ? atMs : undefined);
  const isAsking = startedAtMs !== undefined && status === 'awaiting_confirmation';
  const since = task.askingSinceMs;
  return {
    ...task,
    steps,
    status,
    startedAtMs,
    askingSinceMs: isAsking ? (since ?? atMs) : undefined,
    askedMs: task.askedMs + (since === undefined || isAsking ? 0 : Math.max(0, atMs - since)),
    finishedAtMs: steps.every((step) => isStepEnded(step.status)) ? atMs : undefined,
  };
}

const CANCELLED_WITH_TASK = 'The task was cancelled before this step began; nothing was done.';

function whySkipped({ runIf }: StepRow): string {
  return runIf === 'failure'
    ? 'This step runs only after a failure, and no step before it failed; nothing was done.'
    : 'An earlier step of the task did not succeed, so this step did not run; nothing was done.';
}

/** Not begun, or between two attempts. */
function hasNothingUnderWay(step: StepRow): boolean {
  return (
    isWaitingForPlan(step) ||
    (step.status === 'pending' && (step.actionId === undefined || step.retryAtMs !== undefined))
  );
}

/** The step could begin, and waits for the answer to the plan of its task. */
export function isWaitingForPlan({ status, actionId }: StepRow): boolean {
  return status === 'awaiting_confirmation' && actionId === undefined;
}

/** The step as the schedule sees it. A step that waits for the answer to a plan has not begun, and blocks no other step. */
export function scheduled(step: StepRow): ScheduledStep {
  const { id, deviceId, effectClass, dependsOn, runIf, status } = step;
  const isBetween = status === 'pending' && (step.actionId !== undefined || step.retryAtMs !== undefined);
  const isAsking = status === 'awaiting_confirmation' && !isWaitingForPlan(step);
  const isUnderWay = status === 'running' || isAsking || isBetween;
  return { id, deviceId, effectClass, dependsOn, runIf, status, isUnderWay };
}

/** Whether nothing more will happen by itself: it has ended, or a person must look at it first. */
export function isAtRest({ status, finishedAtMs, steps, onFailure }: TaskRow): boolean {
  if (finishedAtMs !== undefined) return true;
  const plan = steps.map(scheduled);
  if (status !== 'needs_attention' || plan.some(({ isUnderWay }) => isUnderWay) || steps.some(isWaitingForPlan))
    return false;
  return planSteps(plan, onFailure).start.length === 0;
}

function again(step: StepRow, retryAtMs: number): StepRow {
  return { ...step, status: 'pending', retryAtMs };
}

/**
 * Whether a lost step is sent again: the agent was lost, or the link on the way to it. Only steps that are harmless to
 * repeat, three times at most.
 */
function isToBeRecovered(step: StepRow, { to, event }: { to: ActionRow; event: ActionEvent }): boolean {
  const wasLost = event.kind === 'lost' || (event.kind === 'failed' && to.error?.code === 'agent_unavailable');
  return wasLost && step.effectClass !== 'once' && step.recoveries < MAX_RECOVERIES;
}

/** Whether it was cancelled only because the daemon stops: it was not sent, or may be sent twice. */
function isHandedBack(to: ActionRow, event: ActionEvent, { endingSinceMs }: Circumstances): boolean {
  if (to.status !== 'cancelled' || endingSinceMs === undefined) return false;
  const wasMeant = to.cancelRequestedAtMs !== undefined && to.cancelRequestedAtMs < endingSinceMs;
  return !wasMeant && (event.kind === 'withdrawn' || to.effectClass !== 'once');
}

/** The plan's approval ended before the action was sent, so the step must ask on its own. */
function hasLostPlan({ planId, cancelRequestedAtMs }: ActionRow, { kind }: ActionEvent): boolean {
  return planId !== undefined && cancelRequestedAtMs === undefined && (kind === 'withdrawn' || kind === 'expired');
}

/** In these states the details of an action say why it did nothing. A failed action has an error for that. */
const WITH_DETAILS: ReadonlySet<ActionStatus> = new Set(['denied', 'expired', 'blocked', 'cancelled']);

/** The fields of a step that follow from its action. */
function fieldsFrom(action: ActionRow, step: StepRow): Partial<StepRow> {
  const startedAtMs = step.startedAtMs ?? action.startedAtMs;
  switch (action.status) {
    case 'queued':
      return { status: 'pending' };
    case 'running':
    case 'awaiting_confirmation':
      return { status: action.status, startedAtMs };
    default:
      return {
        status: action.status,
        startedAtMs,
        error: action.error,
        details: WITH_DETAILS.has(action.status) ? action.details : undefined,
        finishedAtMs: action.finishedAtMs,
      };
  }
}

/**
 * Ends a step whose submission was refused: by the rules (blocked), or because its target or parameters are invalid
 * (failed).
 */
export function refusedStep(step: StepRow, { refused, detail }: Refusal, atMs: number): StepRow {
  if (refused === 'capability_missing' || refused === 'requester_paused') {
    return endedWithout(step, { status: 'blocked', atMs, failure: { code: 'permission_missing', message: detail } });
  }
  return endedWithout(step, { status: 'failed', atMs, failure: { code: 'invalid_target', message: detail } });
}
