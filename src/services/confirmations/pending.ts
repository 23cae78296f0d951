import type { ConfirmationRow, PendingConfirmation } from '../../store/records/confirmations.ts';
import type { Context } from '../context.ts';
import type { Refusal } from '../refusal.ts';
import { createAnswerTime } from './answer-time.ts';
import type { EndUnapproved } from './end-unapproved.ts';
import { createExpiry, EXPIRED, isOverdue } from './expiry.ts';

type Parts = {
  endUnapproved: EndUnapproved;
  /** Whether everything is held. */
  isStopped(): boolean;
  /** Whether an action was called off. */
  isCalledOff(actionId: string): boolean;
  /** Whether a prompt ends without approval, although its row has not ended yet. */
  isEnding(id: string): boolean;
  isReached(row: ConfirmationRow): boolean;
};

/**
 * The prompts that can be answered. While everything is stopped there are none. A prompt that must end is left out at once, although
 * its row ends a little later: rows end in slices.
 */
export function createPending(context: Context, { endUnapproved, isStopped, ...parts }: Parts) {
  const expiry = createExpiry(context, { endUnapproved, isStopped, ...parts });
  const { watch, first, extend } = createAnswerTime(context, expiry);
  const isEnding = (row: PendingConfirmation) =>
    parts.isEnding(row.id) || (row.kind === 'action' && parts.isCalledOff(row.actionId));

  return {
    /** The prompts that wait, oldest first. */
    waiting(): PendingConfirmation[] {
      if (isStopped()) return [];
      const isOpen = (row: PendingConfirmation) => !isOverdue(context, row) && !isEnding(row);
      return context.store.confirmations.pendingHeads().filter(isOpen);
    },
    /** Ends a prompt at its time, unless the returned function is called before. */
    expireInTime: watch,
    /** To be told which prompt is the first of the queue whenever that may have changed. */
    first,
    /** Gives a prompt more time. */
    extend,
    /** The prompt, or why it cannot be answered. */
    find(id: string): ConfirmationRow | Refusal {
      const row = expiry.read(id);
      if (row?.status !== 'pending') return pendingOrRefusal(row, id);
      if (isStopped()) return STOPPED;
      return isEnding(row) ? ENDING : row;
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
  if (row.status === 'expired') return EXPIRED;
  if (row.status !== 'pending')
    return { refused: 'confirmation_resolved', detail: `The prompt was already answered: ${row.status}.` };
  return row;
}
