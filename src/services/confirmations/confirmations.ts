import type { Action } from '../../contract/action.ts';
import type { Confirmation, Decision, GrantScope, PromptSeen } from '../../contract/console.ts';
import type { Display } from '../../contract/device.ts';
import type { Task } from '../../contract/task.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { ActionConfirmation, ConfirmationRow, PendingConfirmation } from '../../store/records/confirmations.ts';
import { viewStored } from '../actions/action-view.ts';
import type { LiveActions } from '../actions/live-actions.ts';
import type { Context } from '../context.ts';
import type { Grants } from '../permissions/grants.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import type { Requesters } from '../requesters/requesters.ts';
import { objection, recordAllowed, recordedPresence } from './answer.ts';
import { createDenials } from './denials.ts';
import { createEndUnapproved } from './end-unapproved.ts';
import { waitingTimes } from './expiry.ts';
import { createHandsOff } from './hands-off.ts';
import { createHolds, type Presence } from './holds.ts';
import { journalIds } from './journal-ids.ts';
import { createPending } from './pending.ts';
import { createPlans } from './plans.ts';
import { promptLength } from './prompt-length.ts';
import { createTurns } from './prompt-order.ts';
import { createQueue } from './queue.ts';
import { createReached } from './reached.ts';
import { createRenewal, newNonce } from './renewal.ts';
import { riskOf, scopesFor, subjectOf } from './subject.ts';
import { viewTask } from './task-view.ts';
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
  /** The displays of the connected agent; none while none is connected. */
  displays(): readonly Display[];
  /** A prompt came, reads otherwise or ended. */
  promptsChanged(): void;
};

/** The pending prompts, and the person's answers to them. */
export function createConfirmations(context: Context, parts: Parts) {
  const { store } = context;
  const { live } = parts;
  const holds = createHolds(context);
  const plans = createPlans(context, parts);
  const endUnapproved = createEndUnapproved(context, { live, plans });
  const { isEnding, held, ...denials } = createDenials(context, { ...parts, endUnapproved });
  const { isReached, ...reached } = createReached(context);
  const ending = { ...parts, endUnapproved, isEnding, isReached };
  const { waiting, expireInTime, first, find: pending } = createPending(context, ending);
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
    hold: (id: string, phase: 'press' | 'release'): Confirmation | Refusal => viewed(id, () => holds.note(id, phase)),
    /** The desktop shell saw the person's finger on Touch ID, for this prompt. */
    touched: (id: string): Confirmation | Refusal => viewed(id, () => holds.touched(id)),
    /** Answers the subject of the prompt in its current state: an action, or the task whose plan it was. */
    decide(id: string, decision: Decision): Action | Task | Refusal {
      const row = pending(id);
      if (isRefusal(row)) return row;
      const presence = holds.presence(id, parts.requiredPresence());
      const conditions = {
        subject: subjectOf(live, row),
        scopes: scopesFor(live, row),
        policyVersion: parts.policyVersion(),
        isForFormer: renewal.isForFormer(row, decision),
        presence,
        handsOffAtMs: handsOff.atMs(row),
      };
      const refusal = objection(context, { row, decision, ...conditions });
      if (refusal !== undefined) return refusal;
      if (decision.decision === 'deny') denials.deny(row, { undoable: decision.undoable === true });
      else allow(context, { ...parts, plans }, { row, scope: decision.scope ?? 'once', proof: presence.proof });
      // A denial that can be undone ends the prompt later.
      turns.ended(id);
      queue.changed();
      if (decision.decision === 'allow' && (decision.scope ?? 'once') !== 'once') parts.granted();
      return decidedOf(context, live, row);
    },
    /** The person takes a denial back: the prompt is in the queue again, and has to be shown anew before it can be allowed. */
    undo: createUndo(context, { held, holds, queue, turns, isStopped: parts.isStopped }),
    pendingCounts: (userId: string) => countsOf(waiting(), userId),
  };
}

function countsOf(rows: readonly PendingConfirmation[], userId: string): { ofUser: number; inAll: number } {
  return { ofUser: rows.filter((row) => row.userId === userId).length, inAll: rows.length };
}

type Allowing = Pick<Parts, 'live' | 'grants' | 'allowed'> & {
  plans: ReturnType<typeof createPlans>;
};

function allow(
  context: Context,
  { plans, ...parts }: Allowing,
  { row, scope, proof }: { row: ConfirmationRow; scope: GrantScope; proof: Presence | undefined },
): void {
  const presence = recordedPresence(riskOf(parts.live, row), proof);
  if (row.kind === 'plan') plans.end(row, { end: 'allowed', presence });
  else parts.allowed(recordAllowed(context, parts, { row, scope, presence }));
}

function decidedOf(context: Context, live: LiveActions, row: ConfirmationRow): Action | Task {
  const { store } = context;
  if (row.kind === 'plan') {
    const task = store.tasks.findById(row.taskId);
    if (task === undefined) throw new Error(`the plan of ${row.taskId} was answered and the task is not there`);
    return viewTask(context, task);
  }
  const action = live.get(row.actionId) ?? store.actions.findById(row.actionId);
  if (action === undefined) throw new Error(`the action ${row.actionId} was answered and is not there`);
  return viewStored(context, action);
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
