import type { CancelReason } from '../../contract/link.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { Context } from '../context.ts';
import type { Execution } from './executions.ts';
import type { Change, LiveActions } from './live-actions.ts';
import { stepFacts } from './step-facts.ts';
import { unapprovedEnd } from './unapproved-end.ts';

const CANCELLED = 'Cancelled before it was sent; nothing was done.';
const STOPPED = 'The person stopped everything; nothing was done.';

/** Who wants an action or a task cancelled: the person, or the requester itself. Nobody does where the daemon ends. */
export type CancelledBy = 'person' | 'requester';

/** Why an action is cancelled. `withTask`: its task is cancelled, and the action with it. */
export type Cancellation = { reason: CancelReason; by?: CancelledBy | undefined; withTask?: boolean };

export type Cancel = (row: ActionRow, why: Cancellation) => void;

/** Cancels actions that have not ended. The wish is stored first; asking twice changes nothing. */
export function createCancel(
  context: Context,
  { live, execution }: { live: LiveActions; execution: Execution },
): Cancel {
  return (row, why) => {
    if (row.cancelRequestedAtMs !== undefined) {
      // The storage may have taken the wish alone. An action that was not sent must not be sent later.
      if (row.status !== 'running') withdraw(context, live, row, why);
      return;
    }
    const asked = requestCancel(context, live, row, why);
    if (asked.status !== 'running') withdraw(context, live, asked, why);
    // The emergency stop has told the agent before: it reaches what runs even where nothing can be stored.
    else if (why.reason !== 'emergency_stop') execution.stop(asked, why.reason);
  };
}

function requestCancel(
  { store, clock }: Context,
  live: LiveActions,
  row: ActionRow,
  { by, withTask = false }: Cancellation,
): ActionRow {
  const asked: ActionRow = { ...row, cancelRequestedAtMs: clock.nowMs() };
  store.write('durable', () => {
    store.actions.update(row, asked);
    if (by === 'person' && !withTask) store.actions.markCancelledByPerson(row.id);
    journalRequest(store, row, { by, withTask, atMs: clock.nowMs() });
  });
  live.keep(asked);
  return asked;
}

type Wish = Pick<Cancellation, 'by' | 'withTask'> & { atMs: number };

/** Journals the wish that an action ends; only inside a write transaction. */
export function journalRequest(
  { journal }: Context['store'],
  row: ActionRow,
  { by, withTask = false, atMs }: Wish,
): void {
  const metadata = {
    ...stepFacts(row),
    by,
    ...(withTask ? { withTask } : {}),
  };
  const { userId, deviceId, id: actionId } = row;
  journal.append(atMs, { kind: 'action.cancel_requested', userId, deviceId, actionId, metadata });
}

function withdraw(context: Context, live: LiveActions, row: ActionRow, { reason }: Cancellation): void {
  live.change(row, withdrawal(context, row, reason === 'emergency_stop' ? STOPPED : CANCELLED));
}

/** Ends an action that was not sent, with its prompt if it has one. */
export function withdrawal(context: Context, row: ActionRow, details = CANCELLED): Change {
  const prompt = context.store.confirmations.findByAction(row.id);
  if (prompt?.status === 'pending') return unapprovedEnd(context, prompt, { status: 'cancelled', details });
  return { event: { kind: 'withdrawn' }, patch: { details } };
}
