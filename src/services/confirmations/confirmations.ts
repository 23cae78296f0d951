import type { RiskLevel } from '../../contract/action.ts';
import type { Confirmation, PromptSeen } from '../../contract/console.ts';
import type { Display } from '../../contract/device.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { ActionConfirmation, ConfirmationRow, PendingConfirmation } from '../../store/records/confirmations.ts';
import type { LiveActions } from '../actions/live-actions.ts';
import type { Context } from '../context.ts';
import type { Grants } from '../permissions/grants.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import type { Requesters } from '../requesters/requesters.ts';
import { tryToStore } from '../work/storage-failure.ts';
import { createHolds, type Presence } from './answer.ts';
import { createDecide } from './decide.ts';
import { createDenials, createUndo } from './denials.ts';
import { createRenewal, newNonce, waitingTimes } from './expiry.ts';
import { journalIds } from './journal-ids.ts';
import { createEndUnapproved, createPending } from './pending.ts';
import { type AskedStep, createPlans, type Plans } from './plans.ts';
import { promptLength } from './prompt-length.ts';
import { createPromptOrder, createQueue } from './queue.ts';
import { riskOf } from './view.ts';

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

const MOST_REMEMBERED = 1_000;

/** Knows of which prompts somebody could have learned. It says nothing about whether they did. */
function createReached({ clock }: Pick<Context, 'clock'>) {
  let openPages = 0;
  let lastPageAtMs = Number.NEGATIVE_INFINITY;
  const called = new Set<string>();
  return {
    /** A page of the dashboard is open, until the answer is called. */
    pageOpened(): () => void {
      openPages += 1;
      let isOpen = true;
      return () => {
        if (!isOpen) return;
        isOpen = false;
        openPages -= 1;
        lastPageAtMs = clock.nowMs();
      };
    },
    /** A notification, the person's hook or a terminal took the call for a prompt. */
    callTaken(id: string): void {
      called.add(id);
      const [oldest] = called;
      if (called.size > MOST_REMEMBERED && oldest !== undefined) called.delete(oldest);
    },
    /** Whether a page was open, or a call was taken, since the prompt began to wait. */
    isReached: ({ id, createdAtMs, shownAtMs }: ConfirmationRow): boolean =>
      shownAtMs !== undefined || openPages > 0 || lastPageAtMs >= createdAtMs || called.has(id),
  };
}

type ById = { forget(id: string): void };

type WatchingParts = {
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
function createWatching({ live, plans, holds, held, turns, queue, expireInTime }: WatchingParts) {
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

/** How long after it was shown, and after the last input, a prompt cannot be allowed yet. */
const DELAY_MS: Record<RiskLevel, number> = { low: 1_000, medium: 1_000, high: 2_000, critical: 2_000 }; // guard E-7

type HandsOffParts = {
  live: LiveActions;
  waiting(): PendingConfirmation[];
  holds: { forget(id: string): void };
  queue: { changed(): void };
  /** Since when no input of ours runs, in epoch ms: infinite while some may run. */
  inputEndedAtMs(): number;
};

/**
 * The hands cannot press Allow. While a prompt is shown no input is sent; input under way ends first, and the prompt then waits its
 * delay anew. This holds whatever window shows the prompt.
 */
function createHandsOff(context: Context, { live, waiting, holds, queue, inputEndedAtMs }: HandsOffParts) {
  const { store } = context;
  const shown = () => waiting().filter(({ shownAtMs }) => shownAtMs !== undefined);
  const delayMs = (row: ConfirmationRow) => DELAY_MS[riskOf(live, row)];

  function rearm(id: string): void {
    const row = store.confirmations.find(id);
    if (row?.shownAtMs === undefined) return;
    const { shownAtMs } = row;
    const answerableAtMs = inputEndedAtMs() + delayMs(row);
    // A press may have been that of the input.
    holds.forget(id); // guard N6-3
    if (Number.isFinite(answerableAtMs)) store.confirmations.markShown(id, { shownAtMs, answerableAtMs });
  }

  return {
    delayMs,
    /** Whether a prompt is on screen for the person. */
    isShown: (): boolean => shown().length > 0,
    /** From when on no input of ours can have allowed this prompt, in epoch ms. */
    atMs: (row: ConfirmationRow): number => inputEndedAtMs() + delayMs(row),
    /** To be told when input has ended. */
    inputEnded(): void {
      const rows = shown();
      if (rows.length === 0) return;
      tryToStore(context, 'input ended while a prompt was shown; the prompt tells its former time', () =>
        store.write('relaxed', () => {
          for (const { id } of rows) rearm(id);
        }),
      );
      queue.changed();
    },
  };
}

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
  const turns = createPromptOrder(context, parts);
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
