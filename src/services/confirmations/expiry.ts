import { actionError } from '../../domain/action-state.ts';
import type { ConfirmationRow, PendingConfirmation } from '../../store/records/confirmations.ts';
import type { UnapprovedEnd } from '../actions/unapproved-end.ts';
import type { Context } from '../context.ts';
import type { Refusal } from '../refusal.ts';
import { tryToStore } from '../work/storage-failure.ts';

const UNANSWERED = { status: 'expired', details: 'Nobody answered in time; nothing was done.' } as const;
const NOBODY = actionError(
  'nobody_reached',
  'Nobody could be reached: no page of the dashboard was open, and no notification, hook or terminal took the call. Nothing was done.',
  'Ask the person to open the dashboard, then submit it again.',
);
const UNREACHED = { status: 'expired', details: NOBODY.message, error: NOBODY } as const;

type Expiring = Pick<PendingConfirmation, 'expiresAtMs'>;

/** When a prompt that is stored now begins to wait, and when it expires. */
export function waitingTimes({ clock }: Context, expiryMs: number): { createdAtMs: number; expiresAtMs: number } {
  const createdAtMs = clock.nowMs();
  return { createdAtMs, expiresAtMs: createdAtMs + expiryMs };
}

/** Whether a prompt's time is over. Its row may still be pending: no timer runs while the machine is suspended. */
export function isOverdue({ clock }: Context, { expiresAtMs }: Expiring): boolean {
  return clock.nowMs() >= expiresAtMs;
}

/** The answers to calls about a prompt that expired. */
export const EXPIRED: Refusal = {
  refused: 'confirmation_expired',
  detail: 'The prompt expired, which means no. Submit it again.',
};
export const EXPIRED_WHILE_DENIED: Refusal = {
  refused: 'confirmation_expired',
  detail: 'The time of the request is over, so the denial stands. The program may submit it again.',
};

type Parts = {
  /** Ends a pending prompt, of an action or of a plan, without an approval. */
  endUnapproved(row: ConfirmationRow, to: UnapprovedEnd): void;
  /** Whether everything is held. */
  isStopped(): boolean;
  /** Whether a prompt was denied and its row has not ended yet. */
  isEnding(id: string): boolean;
  /** Whether somebody could have learned of a prompt. */
  isReached(row: ConfirmationRow): boolean;
};

/** Ends prompts whose time is over. */
export function createExpiry(context: Context, { endUnapproved, isStopped, isEnding, isReached }: Parts) {
  const { store } = context;

  /** A stop or a denial ends the prompt with a reason of its own. */
  function expire(id: string): void {
    const row = store.confirmations.find(id);
    if (row?.status === 'pending' && !isStopped() && !isEnding(id))
      endUnapproved(row, isReached(row) ? UNANSWERED : UNREACHED);
  }

  return {
    expire,
    /** Reads a prompt, and ends it first if its time is over. */
    read(id: string): ConfirmationRow | undefined {
      const row = store.confirmations.find(id);
      if (row?.status !== 'pending' || !isOverdue(context, row)) return row;
      tryToStore(context, 'a prompt is over, but that could not be recorded yet', () => expire(id));
      const after = store.confirmations.find(id);
      return after?.status === 'pending' && !isStopped() && !isEnding(id) ? { ...after, status: 'expired' } : after;
    },
  };
}
