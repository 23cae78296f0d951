import type { ActionError } from '../../contract/action.ts';
import type { Presence } from './holds.ts';

/**
 * `withdrawn`: no step needs the answer, or the requester was paused. `voided`: the plan changed after the prompt was shown, so an answer does not count,
 * nor does an approval already given.
 */
export type PlanEnd = 'allowed' | 'denied' | 'expired' | 'withdrawn' | 'voided';

/** `heldMs`: for how long a denial was held back before it is recorded. */
export type End = {
  end: PlanEnd;
  because?: string;
  presence?: Presence | undefined;
  heldMs?: number;
  error?: ActionError | undefined;
};

/** How a plan ends whose prompt ends without an approval. */
export function planEndOf(status: 'denied' | 'expired' | 'cancelled'): PlanEnd {
  return status === 'cancelled' ? 'withdrawn' : status;
}
