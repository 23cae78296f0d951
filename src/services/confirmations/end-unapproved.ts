import type { ConfirmationRow } from '../../store/records/confirmations.ts';
import type { LiveActions } from '../actions/live-actions.ts';
import type { UnapprovedEnd } from '../actions/unapproved-end.ts';
import type { Context } from '../context.ts';
import { recordUnapprovedEnd } from './answer.ts';
import { planEndOf } from './plan-end.ts';
import type { Plans } from './plans.ts';

export type EndUnapproved = ReturnType<typeof createEndUnapproved>;

/** Ends a pending prompt, of an action or of a plan, without an approval. */
export function createEndUnapproved(context: Context, { live, plans }: { live: LiveActions; plans: Plans }) {
  return (row: ConfirmationRow, to: UnapprovedEnd): void => {
    if (row.kind === 'plan')
      plans.end(row, { end: planEndOf(to.status), because: to.details, heldMs: to.heldMs ?? 0, error: to.error });
    else recordUnapprovedEnd(context, live, row, to);
  };
}
