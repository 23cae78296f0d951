import type { Refusal } from '../refusal.ts';
import { limitFor } from '../work/reserve.ts';
import type { TaskSize } from './task-sizes.ts';

/**
 * All tasks that have not ended are in memory, and the emergency stop has to end every step of them. A thousand tasks of four
 * steps have less than one MiB.
 */
export const MOST_STEPS = { ofUser: 10_000, inAll: 80_000 };
export const MOST_BYTES = { ofUser: 16 * 1024 * 1024, inAll: 64 * 1024 * 1024 };

type Load = {
  /** How much of both the tasks that have not ended take. */
  ofUser: TaskSize;
  inAll: TaskSize;
  isKnown: boolean;
};

/** Why a task of so many steps is not taken until others have ended, if so. */
export function tooMuchUnfinished(steps: number, { ofUser, inAll, isKnown }: Load): Refusal | undefined {
  const most = { steps: limitFor(isKnown, MOST_STEPS.inAll), bytes: limitFor(isKnown, MOST_BYTES.inAll) };
  if (ofUser.steps + steps > MOST_STEPS.ofUser || inAll.steps + steps > most.steps) {
    return refusal(
      `The tasks that have not ended have ${ofUser.steps} steps of this user and ${inAll.steps} in all, and this one has ${steps}; at most ${MOST_STEPS.ofUser} of a user and ${most.steps} in all are taken.`,
    );
  }
  if (ofUser.bytes < MOST_BYTES.ofUser && inAll.bytes < most.bytes) return undefined;
  return refusal(
    `The tasks that have not ended have ${ofUser.bytes} bytes of steps of this user and ${inAll.bytes} in all; from ${MOST_BYTES.ofUser} and ${most.bytes} on nothing is taken.`,
  );
}

function refusal(detail: string): Refusal {
  return {
    refused: 'too_many_pending',
    detail: `${detail} Wait for some of them to end, or cancel them.`,
    retryAfterSeconds: 30,
  };
}
