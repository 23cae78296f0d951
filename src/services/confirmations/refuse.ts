import type { ConfirmationRow } from '../../store/confirmations.ts';
import type { LiveActions } from '../actions/live-actions.ts';
import type { Context } from '../context.ts';
import { type RefusedEnd, recordRefused } from './answer.ts';
import type { Plans } from './plans.ts';

export type Refuse = ReturnType<typeof createRefuse>;

/** Ends a pending prompt, of an action or of a plan, without an approval. */
export function createRefuse(context: Context, { live, plans }: { live: LiveActions; plans: Plans }) {
  return (row: ConfirmationRow, to: RefusedEnd): void => {
    if (row.actionId === undefined) plans.end(row, { end: to.status, because: to.details, heldMs: to.heldMs ?? 0 });
    else recordRefused(context, live, row, to);
  };
}
