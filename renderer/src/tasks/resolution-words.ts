import type { UnknownResolution } from '../../../src/contract/task.ts';

/** What the person can say, in the order of the buttons. */
export const ANSWERS: readonly { resolution: UnknownResolution; words: string }[] = [
  { resolution: 'happened', words: 'It happened' },
  { resolution: 'did_not_happen', words: 'It did not happen' },
  { resolution: 'again', words: 'Try again' },
];

/** What has become of the step by that. */
export const RESOLVED: Record<UnknownResolution, string> = {
  happened: 'done, as you say. The task goes on.',
  did_not_happen: 'not done, as you say.',
  again: 'tried again.',
};
