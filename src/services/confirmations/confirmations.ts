import type { Confirmation, PromptSeen } from '../../contract/console.ts';
import type { Display } from '../../contract/device.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { ActionConfirmation, ConfirmationRow, PendingConfirmation } from '../../store/records/confirmations.ts';
import type { LiveActions } from '../actions/live-actions.ts';
import type { Context } from '../context.ts';
import type { Grants } from '../permissions/grants.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import type { Requesters } from '../requesters/requesters.ts';
import { createDecide } from './decide.ts';
import { createDenials } from './denials.ts';
import { createEndUnapproved } from './end-unapproved.ts';
import { waitingTimes } from './expiry.ts';
import { createHandsOff } from './hands-off.ts';
import { createHolds, type Presence } from './holds.ts';
import { journalIds } from './journal-ids.ts';
import { createPending } from './pending.ts';
import { createPlans, type Plans } from './plans.ts';
import { promptLength } from './prompt-length.ts';
import { createTurns } from './prompt-order.ts';
import { createQueue } from './queue.ts';
import { createReached } from './reached.ts';
import { createRenewal, newNonce } from './renewal.ts';
import { createUndo } from './undo.ts';
import { createWatching } from './watching.ts';

export type Confirmations = ReturnType<typeof createConfirmations>;

type Parts = {
  live: LiveActions;
  grants: Grants;
  requesters: Requesters;
  policyVersion(): string;
  /** How long a prompt waits for its answer. */
  expiryMs(): number;
  /** The proof of presence that high risk needs now. */
  requiredPresence(): Presence;
  /** Whether the person has dealt with this requester before. */
  isKnown(userId: string): boolean;
  /** The days before of a requester, and its unusual day of today, in words. */
  usually(userId: string): { before: string; unusual?: string };
  /** To be told of a grant once it is stored. */
  granted(): void;
  /** Starts the next stage of an allowed action. */
  allowed(row: ActionRow): void;
  /** Whether everything is paused. Then no prompt is pending, even if its row has not ended yet. */
  isStopped(): boolean;
  /** Whether an action was called off, so that it can no longer be allowed. */
  isCalledOff(actionId: string): boolean;
  /** Until when nobody could sit at the computer; infinite while that is so. */
  heldUntilMs(): number;
  /** Since when no input of ours runs, in epoch ms: infinite while some may run. */
  inputEndedAtMs(): number;
  /** The displays of the machine of a device; none while its agent is not connected. */
  displays(deviceId: string): readonly Display[];
  /** A prompt came, reads otherwise or ended. */
  promptsChanged(): void;
};

/** The pending prompts, and the person's answers to them. */
export function createConfirmations(context: Context, parts: Parts) {
  const { store } = context;
  const { live } = parts;
  const holds = createHolds(context);
  const plans: Plans = createPlans(context, { ...parts, isDenialHeld: (...of) => held.isRepeated(...of) });
  const endUnapproved = createEndUnapproved(context, { live, plans });
  const { isEnding, held, ...denials } = createDenials(context, { ...parts, endUnapproved });
  const { isReached, ...reached } = createReached(context);
  const ending = { ...parts, endUnapproved, isEnding, isReached };
  const { waiting, expireInTime, first, extend, find: pending } = createPending(context, ending);
  const turns = createTurns(context, parts);
  const queue = createQueue(context, { ...parts, waiting, turns, plans, began: first });
  const handsOff = createHandsOff(context, { ...parts, waiting, holds, queue });
  const renewal = createRenewal(context, { holds, queue, pending, policyVersion: parts.policyVersion });

  /** A prompt that waits, after something was noted of it. */
  function viewed(id: string, note?: (row: ConfirmationRow) => Refusal | undefined): Confirmation | Refusal {
    const row = pending(id);
    return isRefusal(row) ? row : (note?.(row) ?? queue.view(id));
  }

  return {
    ...denials,
    ...reached,
    plans,
    /** Stores the prompt for an action; only inside the transaction that stores the action. */
    insert(action: ActionRow, targetDigest: string): ActionConfirmation {
      const row = { ...newConfirmation(context, action, parts), targetDigest };
      store.confirmations.insert(row);
      return row;
    },
    ...createWatching({ live, plans, holds, held, turns, queue, expireInTime }),
    ...renewal,
    handsOff,
    /** The prompts that wait for the person. */
    waiting,
    list: queue.list,
    /** To be told when a prompt that waits reads otherwise than before. */
    changed: queue.changed,
    get: (id: string): Confirmation | Refusal => viewed(id),
    /** The page says that the prompt is fully on screen: from here the delay of its Allow button counts. */
    shown: (id: string, seen: PromptSeen = {}): Confirmation | Refusal =>
      viewed(id, (row) => noteShown(context, { row, seen, queue, delayMs: handsOff.delayMs(row) })),
    /** The person wants more time: two minutes, and ten in all at most. */
    extend: (id: string): Confirmation | Refusal => viewed(id, (row) => extend(row)),
    hold: (id: string, phase: 'press' | 'release'): Confirmation | Refusal => viewed(id, () => holds.note(id, phase)),
    /** The desktop shell saw the person's finger on Touch ID, for this prompt. */
    touched: (id: string): Confirmation | Refusal => viewed(id, () => holds.touched(id)),
    decide: createDecide(context, { ...parts, plans, denials, holds, queue, renewal, turns, handsOff, find: pending }),
    /** The person takes a denial back: the prompt is in the queue again, and has to be shown anew before it can be allowed. */
    undo: createUndo(context, { held, holds, queue, turns, isStopped: parts.isStopped }),
    whenDenialChanges: held.whenChanged,
    pendingCounts: (userId: string) => countsOf(waiting(), userId),
  };
}

function countsOf(rows: readonly PendingConfirmation[], userId: string): { ofUser: number; inAll: number } {
  return { ofUser: rows.filter((row) => row.userId === userId).length, inAll: rows.length };
}

const notFirst: Refusal = {
  refused: 'confirmation_not_ready',
  detail:
    'Another prompt is first: requesters that the person has dealt with before come before others, then the highest risk. Answer that one before.',
};

function newConfirmation(
  context: Context,
  action: ActionRow,
  { policyVersion, expiryMs }: Pick<Parts, 'policyVersion' | 'expiryMs'>,
): ActionConfirmation {
  return {
    kind: 'action',
    id: context.newId('cnf'),
    actionId: action.id,
    userId: action.userId,
    actionDigest: action.digest,
    nonce: newNonce(),
    policyVersion: policyVersion(),
    status: 'pending',
    ...waitingTimes(context, expiryMs()),
  };
}

type Shown = {
  row: ConfirmationRow;
  seen: PromptSeen;
  queue: Pick<ReturnType<typeof createQueue>, 'isFirst' | 'view'>;
  delayMs: number;
};

function noteShown(context: Context, { row, seen, queue, delayMs }: Shown): Refusal | undefined {
  const isFirstReport = row.shownAtMs === undefined;
  if (isFirstReport && !queue.isFirst(row)) return notFirst;
  const length = isFirstReport ? { characters: promptLength(queue.view(row.id)) } : {};
  return recordShown(context, row, { delayMs, ...length, ...seen });
}

function recordShown(
  { store, clock }: Context,
  row: ConfirmationRow,
  { delayMs, ...reading }: PromptSeen & { delayMs: number; characters?: number },
): undefined {
  const shownAtMs = clock.nowMs();
  store.write('relaxed', () => {
    store.confirmations.markShown(row.id, { shownAtMs, answerableAtMs: shownAtMs + delayMs, ...reading });
    store.journal.append(shownAtMs, {
      kind: 'confirmation.shown',
      ...journalIds(row),
      metadata: { delayMs, ...reading, ...(row.kind === 'plan' && { taskId: row.taskId }) },
    });
  });
}
