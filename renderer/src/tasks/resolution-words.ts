import type { UnknownResolution } from '../../../src/contract/task.ts';

/** The person's possible decisions, in the order of the buttons. */
export const ANSWERS: readonly { resolution: UnknownResolution; words: string }[] = [
  { resolution: 'happened', words: 'It happened' },
  { resolution: 'did_not_happen', words: 'It did not happen' },
  { resolution: 'again', words: 'Try again' },
];

/** The state of the step after the decision. */
export const RESOLVED: Record<UnknownResolution, string> = {
  happened: 'done, as you say. The task goes on.',
  did_not_happen: 'not done, as you say.',
  again: 'tried again.',
};
