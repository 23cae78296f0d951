import type { GrantScope } from '../../../src/contract/console.ts';

export const ALLOW_WORDS: Record<GrantScope, string> = {
  once: 'Allow once',
  task: 'Allow for this task',
  minutes15: 'Allow for 15 minutes',
  untilQuit: 'Allow until quit',
  always: 'Always allow',
};

export const SCOPE_WORDS: Record<GrantScope, string> = {
  once: 'Once',
  task: 'This task',
  minutes15: '15 minutes',
  untilQuit: 'Until quit',
  always: 'Always',
};
