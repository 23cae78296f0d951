import { ACTION_STATUS_WORDS } from './activity-words.ts';

const WORDS: Record<string, string> = {
  ...ACTION_STATUS_WORDS,
  pending: 'Waiting',
  skipped: 'Skipped',
  needs_attention: 'Needs your answer',
};

/** The status of a task in words. */
export function taskStatusWords(status: string): string {
  return WORDS[status] ?? status;
}

/** The status of a step in words. */
export function stepStatusWords(status: string): string {
  return WORDS[status] ?? status;
}
