import type { ActionError } from '../../contract/action.ts';
import { quoted } from '../../domain/catalogue/window-words.ts';
import { promptStatusOf } from '../../domain/persons-answer.ts';
import type { ActionConfirmation, PendingConfirmation } from '../../store/records/confirmations.ts';
import type { Context } from '../context.ts';
import { visible } from '../prompt-words.ts';
import type { Change } from './live-actions.ts';

/**
 * An end without an approval. Only the person denies; a stop and a pause of the requester cancel. `heldMs`: for how long the denial
 * was held back before it is recorded.
 */
export type UnapprovedEnd = {
  status: 'denied' | 'expired' | 'cancelled';
  details: string;
  heldMs?: number;
  error?: ActionError | undefined;
};

export const SAID_NO = 'The person denied it; nothing was done.';

/** The denial of the person that a pending prompt ends with, whatever ends it, while they can still undo that denial. */
export function heldDenial(
  { clock }: Pick<Context, 'clock'>,
  { status, denialHeldAtMs, denialNote }: Pick<PendingConfirmation, 'status' | 'denialHeldAtMs' | 'denialNote'>,
) {
  if (status !== 'pending' || denialHeldAtMs === undefined) return undefined;
  const details = denialNote === undefined ? SAID_NO : `${SAID_NO} They say: ${quoted(visible(denialNote))}`;
  return { status: 'denied', details, heldMs: Math.max(0, clock.nowMs() - denialHeldAtMs) } as const;
}

/** The change of an action whose pending prompt ends: with the denial of the person if one is held, otherwise as given. */
export function unapprovedEnd({ store, clock }: Context, row: ActionConfirmation, to: UnapprovedEnd): Change {
  const { status, details, heldMs = 0, error }: UnapprovedEnd = heldDenial({ clock }, row) ?? to;
  const more = {
    patch: { details, error },
    also(atMs: number): void {
      const isChanged = store.confirmations.decide(row.id, { status: promptStatusOf(status), atMs: atMs - heldMs });
      if (!isChanged) throw new Error('a confirmation that was pending could not be answered');
    },
  };
  const metadata = { confirmationId: row.id, ...(heldMs > 0 && { heldMs }) };
  return status === 'cancelled'
    ? { event: { kind: 'withdrawn' }, ...more }
    : { event: { kind: status }, metadata, ...more };
}
