import type { ActionLogEntry, TaskLogEntry } from '../../contract/telemetry.ts';
import type { ActionRow } from '../../store/actions.ts';
import type { StepRow, TaskRow } from '../../store/tasks.ts';
import type { Context } from '../context.ts';
import { readPage } from '../pages.ts';
import { shownMs } from '../rounding.ts';
import type { GuardianService } from '../services.ts';
import { timestamp } from '../timestamps.ts';
import type { createNames } from './viewer.ts';

/** What was done lately, newest first: metadata only. */
export function createLogs(
  { store }: Context,
  nameOf: ReturnType<typeof createNames>,
): Pick<GuardianService, 'actionLog' | 'taskLog'> {
  return {
    actionLog: (viewer, { sinceMs, ...page }) =>
      readPage(page, {
        read: (beforeId, limit) =>
          store.actions.page({ userId: null, beforeId, limit, ...(sinceMs === undefined ? {} : { sinceMs }) }),
        view: (row) => logEntryOf(row, nameOf(viewer, row.userId)),
      }),
    taskLog: (viewer, { sinceMs, ...page }) =>
      readPage(page, {
        read: (beforeId, limit) =>
          store.tasks.page({ userId: null, beforeId, limit, ...(sinceMs === undefined ? {} : { sinceMs }) }),
        view: (row) => taskLogEntryOf(row, nameOf(viewer, row.userId)),
      }),
  };
}

/** An action without its contents: not what it said, read or captured, nor the caller's own words. */
function logEntryOf(row: ActionRow, userName: string): ActionLogEntry {
  return {
    actionId: row.id,
    ...(row.taskId === undefined ? {} : { taskId: row.taskId }),
    ...(row.stepId === undefined ? {} : { stepId: row.stepId }),
    userId: userName,
    deviceId: row.deviceId,
    actionType: row.actionType,
    risk: row.risk.level,
    status: row.status,
    effect: row.effect,
    ...(row.error === undefined ? {} : { errorCode: row.error.code }),
    createdAt: timestamp(row.createdAtMs),
    ...(row.startedAtMs === undefined ? {} : { startedAt: timestamp(row.startedAtMs) }),
    ...(row.finishedAtMs === undefined ? {} : { finishedAt: timestamp(row.finishedAtMs) }),
    ...(row.durationMs === undefined ? {} : { durationMs: shownMs(row.durationMs) }),
  };
}

/** A task without its contents: neither its name nor what its steps do it with. */
function taskLogEntryOf(row: TaskRow, userName: string): TaskLogEntry {
  return {
    taskId: row.id,
    userId: userName,
    status: row.status,
    steps: row.steps.map(stepEntryOf),
    createdAt: timestamp(row.createdAtMs),
    ...(row.startedAtMs === undefined ? {} : { startedAt: timestamp(row.startedAtMs) }),
    ...(row.finishedAtMs === undefined ? {} : { finishedAt: timestamp(row.finishedAtMs) }),
    ...(row.startedAtMs === undefined || row.finishedAtMs === undefined
      ? {}
      : { durationMs: row.finishedAtMs - row.startedAtMs }),
  };
}

function stepEntryOf(step: StepRow): TaskLogEntry['steps'][number] {
  return {
    stepId: step.id,
    actionType: step.actionType,
    dependsOn: step.dependsOn,
    status: step.status,
    ...(step.startedAtMs === undefined ? {} : { startedAt: timestamp(step.startedAtMs) }),
    ...(step.finishedAtMs === undefined ? {} : { finishedAt: timestamp(step.finishedAtMs) }),
  };
}
