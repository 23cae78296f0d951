import type { Attempt, Failed } from '../drivers/outcome.ts';

/** The attempt with the look that is taken immediately before its effect. Without an objection the effect begins. */
export function lookingAt(attempt: Attempt, look: () => Promise<Failed | null>): Attempt {
  return {
    ...attempt,
    async lastLook() {
      const objection = await look();
      if (objection === null) attempt.begin?.();
      return objection;
    },
  };
}
