import type { ActionError } from '../../contract/action.ts';
import type { PlanConfirmation, PlanHead } from '../../store/records/confirmations.ts';
import type { Context } from '../context.ts';
import { createSlices, type Piece } from '../work/slices.ts';
import type { Presence } from './answer.ts';

/**
 * `withdrawn`: no step needs the answer, or the requester was paused. `voided`: the plan changed after the prompt was shown, so an answer does not count,
 * nor does an approval already given.
 */
type PlanEnd = 'allowed' | 'denied' | 'expired' | 'withdrawn' | 'voided';

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

type Parts = {
  /** Ends the prompt of a plan, or its approval. */
  end(plan: PlanConfirmation, by: End): void;
  policyVersion(): string;
};

const EXPIRED: End = {
  end: 'expired',
  because: 'The daemon was restarted before the person answered; nothing was done.',
};
const VOIDED: End = { end: 'voided', because: 'the daemon was restarted' };

/** The ends of all plans at once. There may be a hundred with a hundred steps each, so they end in slices. */
export function createPlanEndings(context: Context, { end, policyVersion }: Parts) {
  const { store, log } = context;
  const slices = createSlices(context, { done: () => undefined, failed });

  function failed(error: unknown): void {
    log.error({ err: error }, 'plans are void since the rules changed, but that could not be recorded yet');
  }

  function* plansInForce(work: (plan: PlanConfirmation) => void): Generator<Piece> {
    for (const id of store.confirmations.planIdsInForce()) {
      yield () => {
        const plan = store.confirmations.find(id);
        if (plan?.kind === 'plan' && isInForce(plan)) work(plan);
      };
    }
  }

  function voidIfOutdated(plan: PlanConfirmation): void {
    if (plan.policyVersion !== policyVersion()) end(plan, { end: 'voided', because: 'the rules changed' });
  }

  function endAfterRestart(plan: PlanConfirmation): void {
    end(plan, plan.status === 'pending' ? EXPIRED : VOIDED);
  }

  return {
    /** Ends every plan that was judged by other rules than the present ones. Such a plan lets no step through in the meantime. */
    makeOutdatedVoid: (): void => slices.begin(plansInForce(voidIfOutdated)),
    /**
     * The pieces of work that end the plans of an earlier run. Prompts expire, unless the person had denied them. Approvals become
     * void.
     */
    endOfRun: (): Generator<Piece> => plansInForce(endAfterRestart),
  };
}

/** Whether a plan waits for its answer, or was allowed and is not void. */
export function isInForce({ status, voidedAtMs }: PlanHead): boolean {
  return voidedAtMs === undefined && (status === 'pending' || status === 'allowed');
}
