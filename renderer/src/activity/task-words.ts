import type { Task, TaskEnd } from '../../../src/contract/task.ts';
import { ACTION_STATUS_WORDS } from './activity-words.ts';

export const TASK_END_WORDS: Record<TaskEnd, string> = {
  pending: 'Waiting',
  running: ACTION_STATUS_WORDS.running,
  awaiting_confirmation: ACTION_STATUS_WORDS.awaiting_confirmation,
  needs_attention: 'Needs your answer',
  success: ACTION_STATUS_WORDS.success,
  failed: ACTION_STATUS_WORDS.failed,
  cancelled: ACTION_STATUS_WORDS.cancelled,
  denied: ACTION_STATUS_WORDS.denied,
  expired: ACTION_STATUS_WORDS.expired,
  blocked: ACTION_STATUS_WORDS.blocked,
};

const WORDS: Record<string, string> = { ...ACTION_STATUS_WORDS, ...TASK_END_WORDS, skipped: 'Skipped' };

/** The status of a task in words. */
export function taskStatusWords(status: string): string {
  return WORDS[status] ?? status;
}

/** How far a task is, such as `All 3 steps done` or `2 of 3 steps done`. */
export function progressWords({ progress }: Pick<Task, 'progress'>): string {
  const { total } = progress;
  const done = doneSteps(progress);
  if (done < total) return `${done} of ${total} steps done`;
  return total === 1 ? 'Its one step is done' : `All ${total} steps done`;
}

/** The number of steps that were done: a step may also have ended as denied, expired or skipped. */
export function doneSteps({ byStatus }: Task['progress']): number {
  return byStatus.success ?? 0;
}

/** How a task stands. One that failed because nothing but your answer, or none, kept a step from running is told as such. */
export function endOfTask({ status, progress: { byStatus } }: Pick<Task, 'status' | 'progress'>): string {
  if (status !== 'failed' || byStatus.failed !== undefined || byStatus.unknown !== undefined) return status;
  return ['denied', 'expired', 'blocked'].find((one) => byStatus[one] !== undefined) ?? status;
}

/** The status of a step in words. */
export function stepStatusWords(status: string): string {
  return WORDS[status] ?? status;
}
