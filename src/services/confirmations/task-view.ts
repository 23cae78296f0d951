import type { Task, TaskStep } from '../../contract/task.ts';
import { isStepEnded } from '../../domain/task-schedule.ts';
import type { ConfirmationRow } from '../../store/records/confirmations.ts';
import type { StepRow, TaskRow } from '../../store/records/tasks.ts';
import { viewPrompt } from '../actions/action-view.ts';
import { assessRow } from '../actions/live-actions.ts';
import type { Context } from '../context.ts';
import { timestamp } from '../steady-clock.ts';
import { awaitedSteps } from './plans.ts';

/** The record of a task as callers see it. */
export function viewTask(context: Context, row: TaskRow): Task {
  const { startedAtMs, finishedAtMs } = row;
  return {
    taskId: row.id,
    name: row.name,
    procedure: row.procedure?.name,
    userId: row.userId,
    status: row.status,
    steps: viewSteps(context, row),
    progress: progressOf(row.steps),
    createdAt: timestamp(row.createdAtMs),
    startedAt: timestamp(startedAtMs),
    finishedAt: timestamp(finishedAtMs),
    ...(startedAtMs === undefined || finishedAtMs === undefined
      ? {}
      : { durationMs: Math.max(0, finishedAtMs - startedAtMs) }),
  };
}

function progressOf(steps: readonly StepRow[]): Task['progress'] {
  const byStatus: Record<string, number> = {};
  for (const { status } of steps) byStatus[status] = (byStatus[status] ?? 0) + 1;
  return { done: steps.filter(({ status }) => isStepEnded(status)).length, total: steps.length, byStatus };
}

function viewSteps({ store }: Context, task: TaskRow): TaskStep[] {
  const mayAsk = task.finishedAtMs === undefined && task.steps.some(({ asks }) => asks);
  const plan = mayAsk ? store.confirmations.findByTask(task.id) : undefined;
  const awaited = new Set(plan?.status === 'pending' ? awaitedSteps(task, plan).map(({ id }) => id) : []);
  return task.steps.map((step) => {
    if (awaited.has(step.id)) return viewStep(step, { confirmation: plan });
    const { status, actionId = '' } = step;
    if (status === 'awaiting_confirmation')
      return viewStep(step, { confirmation: store.confirmations.findByAction(actionId) });
    return viewStep(step, status === 'unknown' ? { sentence: sentenceOf(store, actionId) } : {});
  });
}

/** The sentence of an action, without the title of its window, while its parameters are kept. */
function sentenceOf(store: Context['store'], actionId: string): string | undefined {
  const action = store.actions.findById(actionId);
  if (action === undefined) return undefined;
  const { actionType, parameters, deviceId } = action;
  return assessRow({ actionType, parameters }, { machine: store.devices.machineOf(deviceId) })?.sentence;
}

type Beside = { confirmation?: ConfirmationRow | undefined; sentence?: string | undefined };

function viewStep(step: StepRow, { confirmation, sentence }: Beside): TaskStep {
  return {
    id: step.id,
    actionType: step.actionType,
    targetDeviceId: step.deviceId,
    dependsOn: step.dependsOn,
    status: step.status,
    actionId: step.actionId,
    attempts: step.attempts,
    risk: step.risk,
    confirmation: confirmation && viewPrompt(confirmation),
    sentence,
    details: step.details,
    error: step.error,
    startedAt: timestamp(step.startedAtMs),
    finishedAt: timestamp(step.finishedAtMs),
  };
}
