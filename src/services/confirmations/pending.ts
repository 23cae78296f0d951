import { MORE_TIME_MS, MOST_PROMPT_WAIT_MS } from '../../contract/times.ts';
import type { ConfirmationRow, PendingConfirmation } from '../../store/records/confirmations.ts';
import type { UnapprovedEnd } from '../actions/cancellation.ts';
import type { LiveActions } from '../actions/live-actions.ts';
import type { Context } from '../context.ts';
import type { Refusal } from '../refusal.ts';
import { tryToStore, untilStored } from '../work/storage-failure.ts';
import { recordUnapprovedEnd } from './answer.ts';
import { createExpiry, EXPIRED, isOverdue } from './expiry.ts';
import { journalIds } from './journal-ids.ts';
import { planEndOf } from './plan-endings.ts';
import type { Plans } from './plans.ts';

export type EndUnapproved = ReturnType<typeof createEndUnapproved>;

/** Ends a pending prompt, of an action or of a plan, without an approval. */
export function createEndUnapproved(context: Context, { live, plans }: { live: LiveActions; plans: Plans }) {
  return (row: ConfirmationRow, to: UnapprovedEnd): void => {
    if (row.kind === 'plan')
      plans.end(row, { end: planEndOf(to.status), because: to.details, heldMs: to.heldMs ?? 0, error: to.error });
    else recordUnapprovedEnd(context, live, row, to);
  };
}

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

type Timed = {
  /** When it ends in any case. */
  mostMs: number;
  /** The time to answer that is left, as of `sinceMs` while it runs. */
  leftMs: number;
  /** Since when its time runs. Nothing while another prompt is before it. */
  sinceMs: number | undefined;
  stopTimer(): void;
};

const LOOK_EVERY_MS = 30_000;

type AnswerTimeParts = {
  /** Ends a prompt whose time is over. */
  expire(id: string): void;
};

/**
 * The time in which a prompt has to be answered. It runs while the prompt is the first of the queue, since the person can allow no
 * other. So many prompts of others do not use up the time of a prompt behind them.
 */
function createAnswerTime(context: Context, { expire }: AnswerTimeParts) {
  const { store, clock } = context;
  const timed = new Map<string, Timed>();

  const endMs = ({ mostMs, leftMs, sinceMs }: Timed) =>
    sinceMs === undefined ? mostMs : Math.min(mostMs, sinceMs + leftMs); // guard P3-4

  /** Timers stand still while the machine is suspended, so the clock is looked at now and then, too. */
  function arm(id: string, prompt: Timed, leftMs = endMs(prompt) - clock.nowMs()): void {
    prompt.stopTimer();
    const pauseMs = Math.min(leftMs, LOOK_EVERY_MS);
    prompt.stopTimer = clock.after(pauseMs, () => {
      if (pauseMs < leftMs && clock.nowMs() < endMs(prompt)) arm(id, prompt, leftMs - pauseMs);
      else untilStored(context, () => expire(id));
    });
  }

  function change(id: string, prompt: Timed, next: Pick<Timed, 'leftMs' | 'sinceMs'>): void {
    Object.assign(prompt, next);
    arm(id, prompt);
    tryToStore(context, 'a prompt waits longer or shorter, but that could not be stored', () =>
      store.write('relaxed', () => store.confirmations.setExpiry(id, endMs(prompt))),
    );
  }

  return {
    /** The person wants more time for a prompt. The ten minutes in all stay as they are. */
    extend(row: ConfirmationRow): undefined {
      const prompt = timed.get(row.id);
      if (prompt === undefined) return;
      change(row.id, prompt, { leftMs: prompt.leftMs + MORE_TIME_MS, sinceMs: prompt.sinceMs });
      const expiresAtMs = endMs(prompt);
      store.write('relaxed', () =>
        store.journal.append(clock.nowMs(), {
          kind: 'confirmation.extended',
          ...journalIds(row),
          metadata: { leftMs: Math.max(0, expiresAtMs - clock.nowMs()) },
        }),
      );
    },
    /** Ends a prompt at its time, unless the returned function is called before. It is stored as if it were the first. */
    watch({ id, createdAtMs, expiresAtMs }: ConfirmationRow): () => void {
      const prompt: Timed = {
        mostMs: createdAtMs + MOST_PROMPT_WAIT_MS,
        leftMs: expiresAtMs - createdAtMs,
        sinceMs: createdAtMs,
        stopTimer: () => undefined,
      };
      timed.set(id, prompt);
      arm(id, prompt);
      return () => {
        prompt.stopTimer();
        timed.delete(id);
      };
    },
    /** To be told which prompt is the first of the queue whenever that may have changed. */
    first(firstId: string | undefined): void {
      const nowMs = clock.nowMs();
      for (const [id, prompt] of timed) {
        const { leftMs, sinceMs } = prompt;
        if (id === firstId && sinceMs === undefined) change(id, prompt, { leftMs, sinceMs: nowMs });
        if (id !== firstId && sinceMs !== undefined)
          change(id, prompt, { leftMs: leftMs - (nowMs - sinceMs), sinceMs: undefined });
      }
    },
  };
}

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
