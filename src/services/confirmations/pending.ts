import type { ConfirmationRow, PendingConfirmation } from '../../store/confirmations.ts';
import type { Context } from '../context.ts';
import type { Refusal } from '../refusal.ts';
import type { Refuse } from './refuse.ts';

const UNANSWERED = 'Nobody answered in time; nothing was done.';

/**
 * The prompts that can be answered. While everything is stopped there are none, even if their rows are not ended yet: the stop
 * holds at once and is recorded in slices.
 */
export function createPending(
  { store, clock }: Context,
  { refuse, isStopped }: { refuse: Refuse; isStopped(): boolean },
) {
  /** Ends a prompt whose time is over. During a stop, the stop ends it and says why. */
  function expire({ id }: ConfirmationRow): void {
    const row = store.confirmations.find(id);
    if (row?.status === 'pending' && !isStopped()) refuse(row, { status: 'expired', details: UNANSWERED });
  }

  return {
    /** Without those whose time is over and whose rows are not ended yet: no timer runs while the machine is suspended. */
    waiting(): PendingConfirmation[] {
      if (isStopped()) return [];
      return store.confirmations.pendingHeads().filter(({ expiresAtMs }) => clock.nowMs() < expiresAtMs);
    },
    expire,
    /** The prompt, or why it cannot be answered. */
    find(id: string): ConfirmationRow | Refusal {
      const row = store.confirmations.find(id);
      if (row?.status === 'pending' && clock.nowMs() >= row.expiresAtMs) expire(row);
      const current = store.confirmations.find(id);
      return current?.status === 'pending' && isStopped() ? STOPPED : pendingOrRefusal(current, id);
    },
  };
}

const STOPPED: Refusal = {
  refused: 'confirmation_resolved',
  detail: 'Everything is stopped, so this prompt can no longer be answered; nothing was done.',
};

function pendingOrRefusal(row: ConfirmationRow | undefined, id: string): ConfirmationRow | Refusal {
  if (row === undefined) return { refused: 'not_found', detail: `There is no confirmation ${id}.` };
  if (row.status === 'expired')
    return { refused: 'confirmation_expired', detail: 'The prompt expired, which means no. Submit it again.' };
  if (row.status !== 'pending')
    return { refused: 'confirmation_resolved', detail: `The prompt was already answered: ${row.status}.` };
  return row;
}
