import type { TaskStatus } from '../../../src/contract/task.ts';
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

/** The status of a step in words. */
export function stepStatusWords(status: string): string {
  return WORDS[status] ?? status;
}
