import { encodeTime } from 'ulid';
import type { Answer } from '../../src/guardian/insights/facts.ts';
import type { Reply, ShownPrompt } from './persons.ts';

export const WORK_MS = 8 * 3_600_000;
const DELAY_MS = { low: 1_000, medium: 1_000, high: 2_000, critical: 2_000 };
const EXPIRY_MS = 90_000;
const LONGEST_MS = 85_000;

/** One prompt and its answer. `number`: of the day, from 1 on. `isRepeat`: exactly this was allowed before. */
export type Asked = { prompt: ShownPrompt; reply: Reply; atMs: number; number: number; isRepeat: boolean };

/** The history of a person's answers, as the rules about approvals read it. */
export function createMemoryHistory() {
  let answers: Answer[] = [];
  return {
    add(asked: readonly Asked[]): void {
      answers = [...asked.flatMap(answerOf).toReversed(), ...answers];
    },
    /** After a time, the latest first. */
    answers: ({ afterMs, limit }: { afterMs: number; limit: number }): Answer[] =>
      answers.slice(0, limit).filter(({ decidedAtMs }) => decidedAtMs > afterMs),
  };
}

function answerOf({ prompt, reply, isRepeat, atMs, number }: Asked): Answer[] {
  if (reply === null) return [];
  const afterMs = DELAY_MS[prompt.risk] + Math.min(reply.tookMs, LONGEST_MS);
  const decidedAtMs = atMs + Math.round(Math.min(afterMs, EXPIRY_MS));
  return [
    {
      actionId: `act_${encodeTime(atMs, 10)}${String(number).padStart(16, '0')}`,
      userId: 'ann',
      risk: prompt.risk,
      isAllowed: reply.isAllowed,
      decidedAtMs,
      tookMs: decidedAtMs - atMs - DELAY_MS[prompt.risk],
      characters: prompt.characters,
      isRepeat,
      wasOpenedToEnd: null,
    },
  ];
}
