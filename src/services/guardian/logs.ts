import type { ActionLogEntry, TaskLogEntry } from '../../contract/telemetry.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { StepRow, TaskRow } from '../../store/records/tasks.ts';
import type { Context } from '../context.ts';
import { shownMs } from '../rounding.ts';
import { timestamp } from '../steady-clock.ts';
import { readPage } from '../work/pages.ts';
import { nextTurn } from '../work/turns.ts';
import type { GuardianService } from './guardian-service.ts';
import type { Names, Viewer } from './viewer.ts';

/** An entry of the log of actions has half a kilobyte, so many are read at a time. */
const ACTIONS_AT_A_TIME = 51;
/** A task comes with up to a hundred steps. */
const TASKS_AT_A_TIME = 10;

/** The latest actions and tasks, newest first: metadata only. */
export function createLogs(context: Context, names: Names): Pick<GuardianService, 'actionLog' | 'taskLog'> {
  const { store } = context;
  const nextReader = () => nextTurn('/guardian');
  return {
    actionLog: (viewer, { sinceMs, ...page }) =>
      readPage(context, page, {
        pause: nextReader,
        read: (beforeId, limit) => store.actions.page({ userId: null, beforeId, limit, sinceMs }),
        view: (row) => logEntryOf(row, namesOf(row.userId, names, viewer)),
        rowsAtATime: ACTIONS_AT_A_TIME,
      }),
    taskLog: (viewer, { sinceMs, ...page }) =>
      readPage(context, page, {
        pause: nextReader,
        read: (beforeId, limit) => store.tasks.page({ userId: null, beforeId, limit, sinceMs }),
        view: (row) => taskLogEntryOf(row, namesOf(row.userId, names, viewer)),
        rowsAtATime: TASKS_AT_A_TIME,
      }),
  };
}

/** How the viewer may read the names of one user: their own, and those of their steps. */
type RowNames = { user: string; step(stepId: string): string };

function namesOf(userId: string, names: Names, viewer: Viewer): RowNames {
  return { user: names.user(viewer, userId), step: (stepId) => names.step(viewer, userId, stepId) };
}

/** An action without its contents. It has no text, result or picture, and none of the requester's own words. */
function logEntryOf(row: ActionRow, names: RowNames): ActionLogEntry {
  return {
    actionId: row.id,
    taskId: row.taskId,
    ...(row.stepId === undefined ? {} : { stepId: names.step(row.stepId) }),
    userId: names.user,
    deviceId: row.deviceId,
    actionType: row.actionType,
    risk: row.risk.level,
    status: row.status,
    effect: row.effect,
    errorCode: row.error?.code,
    createdAt: timestamp(row.createdAtMs),
    startedAt: timestamp(row.startedAtMs),
    finishedAt: timestamp(row.finishedAtMs),
    durationMs: row.durationMs && shownMs(row.durationMs),
  };
}

/** A task without its contents. It has neither its name nor the parameters of its steps. */
function taskLogEntryOf(row: TaskRow, names: RowNames): TaskLogEntry {
  return {
    taskId: row.id,
    userId: names.user,
    status: row.status,
    steps: row.steps.map((step) => stepEntryOf(step, names)),
    createdAt: timestamp(row.createdAtMs),
    startedAt: timestamp(row.startedAtMs),
    finishedAt: timestamp(row.finishedAtMs),
    ...(row.startedAtMs === undefined || row.finishedAtMs === undefined
      ? {}
      : { durationMs: row.finishedAtMs - row.startedAtMs }),
  };
}

function stepEntryOf(step: StepRow, names: RowNames): TaskLogEntry['steps'][number] {
  return {
    stepId: names.step(step.id),
    actionType: step.actionType,
    dependsOn: step.dependsOn.map(names.step),
    status: step.status,
    startedAt: timestamp(step.startedAtMs),
    finishedAt: timestamp(step.finishedAtMs),
  };
}
