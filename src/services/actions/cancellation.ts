import type { CancelReason } from '../../contract/link.ts';
import type { ActionRow } from '../../store/actions.ts';
import type { Context } from '../context.ts';
import type { LiveActions } from './live-actions.ts';
import type { Runner } from './runner.ts';
import { stepFacts } from './step-facts.ts';

/** Cancels actions that have not ended. The wish is stored first; asking twice changes nothing. */
export function createCancel(context: Context, { live, runner }: { live: LiveActions; runner: Runner }) {
  return (row: ActionRow, reason: CancelReason): void => {
    if (row.cancelRequestedAtMs !== undefined) {
      // The storage may have taken the wish alone, and what was not sent must not be sent after all.
      if (row.status !== 'running') withdraw(context, live, row);
      return;
    }
    const asked = requestCancel(context, live, row);
    if (asked.status !== 'running') withdraw(context, live, asked);
    // The emergency stop has told the agent before: it reaches what runs even where nothing can be stored.
    else if (reason !== 'emergency_stop') runner.stop(asked, reason);
  };
}

function requestCancel({ store, clock }: Context, live: LiveActions, row: ActionRow): ActionRow {
  const asked: ActionRow = { ...row, cancelRequestedAtMs: clock.nowMs() };
  store.write('durable', () => {
    store.actions.update(row, asked);
    store.journal.append(clock.nowMs(), {
      kind: 'action.cancel_requested',
      userId: row.userId,
      deviceId: row.deviceId,
      actionId: row.id,
      metadata: stepFacts(row),
    });
  });
  live.keep(asked);
  return asked;
}

function withdraw({ store }: Context, live: LiveActions, row: ActionRow): void {
  live.change(row, {
    event: { kind: 'withdrawn' },
    patch: { details: 'Cancelled before it was sent; nothing was done.' },
    also: (atMs) => {
      const confirmation = store.confirmations.findByAction(row.id);
      if (confirmation?.status === 'pending') store.confirmations.decide(confirmation.id, { status: 'expired', atMs });
    },
  });
}
