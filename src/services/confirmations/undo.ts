import type { Confirmation } from '../../contract/console.ts';
import type { ConfirmationRow } from '../../store/records/confirmations.ts';
import type { Context } from '../context.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import { EXPIRED_WHILE_DENIED, isOverdue } from './expiry.ts';
import { journalIds } from './journal-ids.ts';
import type { HeldDenials } from './undoable-denials.ts';

type Parts = {
  held: Pick<HeldDenials, 'isHeld' | 'undo'>;
  holds: { forget(id: string): void };
  queue: { changed(): void; view(id: string): Confirmation };
  turns: { giveBack(userId: string): void };
  /** Whether everything is stopped, so that no request can wait. */
  isStopped(): boolean;
};

/** Takes a denial back that is still held: the prompt is in the queue again and has to be shown anew before it can be allowed. */
export function createUndo(context: Context, { held, holds, queue, turns, isStopped }: Parts) {
  const { store, clock } = context;

  function record(row: ConfirmationRow): void {
    store.write('relaxed', () => {
      store.confirmations.undoDenial(row.id);
      store.confirmations.markUnseen(row.id);
      store.journal.append(clock.nowMs(), {
        kind: 'confirmation.denial_undone',
        ...journalIds(row),
      });
    });
  }

  /** The prompt whose denial can be undone, or why it cannot. */
  function find(id: string): ConfirmationRow | Refusal {
    const row = store.confirmations.find(id);
    if (row === undefined) return { refused: 'not_found', detail: `There is no confirmation ${id}.` };
    if (!held.isHeld(id) || row.status !== 'pending' || isStopped()) return SETTLED;
    return isOverdue(context, row) ? EXPIRED_WHILE_DENIED : row;
  }

  return (id: string): Confirmation | Refusal => {
    const row = find(id);
    if (isRefusal(row)) return row;
    record(row);
    held.undo(id);
    holds.forget(id);
    turns.giveBack(row.userId);
    queue.changed();
    return queue.view(id);
  };
}

const SETTLED: Refusal = {
  refused: 'confirmation_resolved',
  detail: 'There is no denial that can be undone: it can be for 10 s, unless the request has ended otherwise.',
};
