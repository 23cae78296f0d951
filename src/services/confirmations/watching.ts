import type { ActionRow } from '../../store/records/actions.ts';
import type { ConfirmationRow } from '../../store/records/confirmations.ts';
import type { LiveActions } from '../actions/live-actions.ts';
import type { AskedStep, Plans } from './plans.ts';

type ById = { forget(id: string): void };

type Parts = {
  live: Pick<LiveActions, 'whenEnded'>;
  plans: Pick<Plans, 'watch'>;
  holds: ById;
  held: ById;
  turns: { ended(id: string): void };
  queue: { changed(): void };
  /** Ends a prompt at its time, unless the returned function is called before. */
  expireInTime(row: ConfirmationRow): () => void;
};

/** Follows stored prompts to their ends. */
export function createWatching({ live, plans, holds, held, turns, queue, expireInTime }: Parts) {
  /** By the id of the action. */
  const finishes = new Map<string, () => void>();

  function finishOf(row: ConfirmationRow): () => void {
    const stop = expireInTime(row);
    return () => {
      stop();
      holds.forget(row.id);
      held.forget(row.id);
      turns.ended(row.id);
      if (row.kind === 'action') finishes.delete(row.actionId);
      queue.changed();
    };
  }

  return {
    /** Calls the person for a stored prompt, of a plan with its steps, and ends it at its time unless it is answered before. */
    watch(row: ConfirmationRow, steps: readonly AskedStep[] = []): void {
      const finish = finishOf(row);
      if (row.kind === 'plan') plans.watch(row.id, { steps, ended: finish });
      else {
        finishes.set(row.actionId, finish);
        live.whenEnded(row.actionId, finish);
      }
      queue.changed();
    },
    /** The rules have let an action through that waited, so its prompt is gone. */
    released: ({ id }: ActionRow): void => finishes.get(id)?.(),
  };
}
