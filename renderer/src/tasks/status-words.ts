/** The statuses of unfinished actions and tasks, in words for the person. */
export const STATUS_WORDS: Readonly<Record<string, string>> = {
  queued: 'waiting for its turn',
  pending: 'waiting for its turn',
  running: 'running',
  awaiting_confirmation: 'waiting for your answer',
  needs_attention: 'waiting for your answer',
};
