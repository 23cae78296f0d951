import type { ActionError } from '../../contract/action.ts';
import type { CancelReason } from '../../contract/link.ts';
import { quoted } from '../../domain/catalogue/window-words.ts';
import { promptStatusOf } from '../../domain/persons-answer.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { ActionConfirmation, PendingConfirmation } from '../../store/records/confirmations.ts';
import type { Context } from '../context.ts';
import { visible } from '../prompt-words.ts';
import type { Execution } from './execution.ts';
import { type Change, type LiveActions, stepFacts } from './live-actions.ts';

const CANCELLED = 'Cancelled before it was sent; nothing was done.';
const STOPPED = 'The person stopped everything; nothing was done.';

/** Who wants an action or a task cancelled: the person, or the requester itself. Nobody does where the daemon ends. */
export type CancelledBy = 'person' | 'requester';

/** Why an action is cancelled. `withTask`: its task is cancelled, and the action with it. */
type Cancellation = { reason: CancelReason; by?: CancelledBy | undefined; withTask?: boolean };

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
  const { status, details, heldMs = 0, error }: UnapprovedEnd = heldDenial({ clock }, row) ?? to; // guard E-25
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

/** Ends an action that was not sent, with its prompt if it has one. */
export function withdrawal(context: Context, row: ActionRow, details = CANCELLED): Change {
  const prompt = context.store.confirmations.findByAction(row.id);
  if (prompt?.status === 'pending') return unapprovedEnd(context, prompt, { status: 'cancelled', details });
  return { event: { kind: 'withdrawn' }, patch: { details } };
}
