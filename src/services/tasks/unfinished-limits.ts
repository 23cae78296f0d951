import type { Refusal } from '../refusal.ts';
import type { TaskSize } from './task-sizes.ts';

/**
 * All tasks that have not ended are in memory, and the emergency stop has to end every step of them. A thousand tasks of four
 * steps have less than one MiB.
 */
const MOST_STEPS = { ofUser: 10_000, inAll: 100_000 };
const MOST_BYTES = { ofUser: 16 * 1024 * 1024, inAll: 64 * 1024 * 1024 };

/** Why a task of so many steps is not taken until others have ended, if so. */
export function tooMuchUnfinished(
  steps: number,
  { ofUser, inAll }: { ofUser: TaskSize; inAll: TaskSize },
): Refusal | undefined {
  if (ofUser.steps + steps > MOST_STEPS.ofUser || inAll.steps + steps > MOST_STEPS.inAll) {
    return refusal(
      `The tasks that have not ended have ${ofUser.steps} steps of this user and ${inAll.steps} in all, and this one has ${steps}; at most ${MOST_STEPS.ofUser} of a user and ${MOST_STEPS.inAll} in all are taken.`,
    );
  }
  if (ofUser.bytes < MOST_BYTES.ofUser && inAll.bytes < MOST_BYTES.inAll) return undefined;
  return refusal(
    `The tasks that have not ended have ${ofUser.bytes} bytes of steps of this user and ${inAll.bytes} in all; from ${MOST_BYTES.ofUser} and ${MOST_BYTES.inAll} on nothing is taken.`,
  );
}

function refusal(detail: string): Refusal {
  return {
    refused: 'too_many_pending',
    detail: `${detail} Wait for some of them to end, or cancel them.`,
    retryAfterSeconds: 30,
  };
}
