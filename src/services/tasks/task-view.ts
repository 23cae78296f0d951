import type { Task, TaskStep } from '../../contract/task.ts';
import { isStepEnded } from '../../domain/task-schedule.ts';
import type { StepRow, TaskRow } from '../../store/tasks.ts';
import { timestamp } from '../timestamps.ts';

/** The record of a task as callers see it. */
export function viewTask(row: TaskRow): Task {
  const { startedAtMs, finishedAtMs } = row;
  return {
    taskId: row.id,
    name: row.name,
    userId: row.userId,
    status: row.status,
    steps: row.steps.map(viewStep),
    progress: { done: row.steps.filter(({ status }) => isStepEnded(status)).length, total: row.steps.length },
    createdAt: timestamp(row.createdAtMs),
    ...(startedAtMs === undefined ? {} : { startedAt: timestamp(startedAtMs) }),
    ...(finishedAtMs === undefined ? {} : { finishedAt: timestamp(finishedAtMs) }),
    ...(startedAtMs === undefined || finishedAtMs === undefined
      ? {}
      : { durationMs: Math.max(0, finishedAtMs - startedAtMs) }),
  };
}

function viewStep(step: StepRow): TaskStep {
  return {
    id: step.id,
    actionType: step.actionType,
    targetDeviceId: step.deviceId,
    dependsOn: step.dependsOn,
    status: step.status,
    ...(step.actionId === undefined ? {} : { actionId: step.actionId }),
    attempts: step.attempts,
    risk: step.risk,
    ...(step.error === undefined ? {} : { error: step.error }),
    ...(step.startedAtMs === undefined ? {} : { startedAt: timestamp(step.startedAtMs) }),
    ...(step.finishedAtMs === undefined ? {} : { finishedAt: timestamp(step.finishedAtMs) }),
  };
}
