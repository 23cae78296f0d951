import type { Attempt, Failed } from '../drivers/outcome.ts';

type Look = () => Promise<Failed | null>;

/**
 * The attempt with the look that is taken immediately before its effect. Without an objection the effect begins. `lookBetween` is taken
 * between its keys.
 */
export function lookingAt(attempt: Attempt, look: Look, lookBetween?: Look): Attempt {
  return {
    ...attempt,
    lookBetween,
    async lastLook() {
      const objection = await look();
      if (objection === null) attempt.begin?.();
      return objection;
    },
  };
}
