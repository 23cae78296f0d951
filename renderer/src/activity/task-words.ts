import type { Task, TaskStatus } from '../../../src/contract/task.ts';
import { ACTION_STATUS_WORDS } from './activity-words.ts';

export const TASK_STATUS_WORDS: Record<TaskStatus, string> = {
  pending: 'Waiting',
  running: ACTION_STATUS_WORDS.running,
  awaiting_confirmation: ACTION_STATUS_WORDS.awaiting_confirmation,
  needs_attention: 'Needs your answer',
  success: ACTION_STATUS_WORDS.success,
  failed: ACTION_STATUS_WORDS.failed,
  cancelled: ACTION_STATUS_WORDS.cancelled,
};

const WORDS: Record<string, string> = { ...ACTION_STATUS_WORDS, ...TASK_STATUS_WORDS, skipped: 'Skipped' };

/** The status of a task in words. */
export function taskStatusWords(status: string): string {
  return WORDS[status] ?? status;
}

/** How far a task is, such as `All 3 steps done` or `2 of 3 steps ended`. */
export function progressWords({ status, progress: { done, total } }: Pick<Task, 'status' | 'progress'>): string {
  if (status !== 'success' || done < total) return `${done} of ${total} steps ended`;
  return total === 1 ? 'Its one step is done' : `All ${total} steps done`;
}

/** The status of a step in words. */
export function stepStatusWords(status: string): string {
  return WORDS[status] ?? status;
}
