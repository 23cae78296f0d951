import type { ConfirmationRow, PendingConfirmation } from '../../store/records/confirmations.ts';
import type { Context } from '../context.ts';
import type { Refusal } from '../refusal.ts';
import type { EndUnapproved } from './end-unapproved.ts';

const UNANSWERED = 'Nobody answered in time; nothing was done.';

type Parts = {
  endUnapproved: EndUnapproved;
  /** Whether everything is held. */
  isStopped(): boolean;
  /** Whether an action was called off. */
  isCalledOff(actionId: string): boolean;
  /** Whether a prompt ends without approval, although its row has not ended yet. */
  isEnding(id: string): boolean;
};

/**
 * The prompts that can be answered. While everything is stopped there are none, and prompts that are being ended are left out,
 * even if their rows are not ended yet: both hold at once and are recorded in slices.
 */
export function createPending({ store, clock }: Context, { endUnapproved, isStopped, ...parts }: Parts) {
  const isEnding = ({ id, actionId }: PendingConfirmation) =>
    parts.isEnding(id) || (actionId !== undefined && parts.isCalledOff(actionId));

  /** Ends a prompt whose time is over. The stop, or the person's denial, ends it otherwise and says why. */
  function expire({ id }: ConfirmationRow): void {
    const row = store.confirmations.find(id);
    if (row?.status === 'pending' && !isStopped() && !parts.isEnding(id))
      endUnapproved(row, { status: 'expired', details: UNANSWERED });
  }

  return {
    /** Without those whose time is over and whose rows are not ended yet: no timer runs while the machine is suspended. */
    waiting(): PendingConfirmation[] {
      if (isStopped()) return [];
      const isOpen = (row: PendingConfirmation) => clock.nowMs() < row.expiresAtMs && !isEnding(row);
      return store.confirmations.pendingHeads().filter(isOpen);
    },
    expire,
    /** The prompt, or why it cannot be answered. */
    find(id: string): ConfirmationRow | Refusal {
      const row = store.confirmations.find(id);
      if (row?.status === 'pending' && clock.nowMs() >= row.expiresAtMs) expire(row);
      const current = store.confirmations.find(id);
      if (current?.status !== 'pending') return pendingOrRefusal(current, id);
      if (isStopped()) return STOPPED;
      return isEnding(current) ? ENDING : current;
    },
  };
}

const STOPPED: Refusal = {
  refused: 'confirmation_resolved',
  detail: 'Everything is stopped, so this prompt can no longer be answered; nothing was done.',
};

const ENDING: Refusal = {
  refused: 'confirmation_resolved',
  detail: 'The request was denied or called off, so this prompt can no longer be answered; nothing was done.',
};

function pendingOrRefusal(row: ConfirmationRow | undefined, id: string): ConfirmationRow | Refusal {
  if (row === undefined) return { refused: 'not_found', detail: `There is no confirmation ${id}.` };
  if (row.status === 'expired')
    return { refused: 'confirmation_expired', detail: 'The prompt expired, which means no. Submit it again.' };
  if (row.status !== 'pending')
    return { refused: 'confirmation_resolved', detail: `The prompt was already answered: ${row.status}.` };
  return row;
}
