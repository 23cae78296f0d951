import { randomBytes } from 'node:crypto';
import type { RiskLevel } from '../../contract/action.ts';
import { actionError } from '../../domain/action-state.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { ConfirmationRow, PendingConfirmation } from '../../store/records/confirmations.ts';
import type { UnapprovedEnd } from '../actions/cancellation.ts';
import type { Context } from '../context.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import { tryToStore } from '../work/storage-failure.ts';
import { journalIds } from './journal-ids.ts';

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
      if (row?.status !== 'pending' || !isOverdue(context, row)) return row; // guard A3-2
      tryToStore(context, 'a prompt is over, but that could not be recorded yet', () => expire(id));
      const after = store.confirmations.find(id);
      return after?.status === 'pending' && !isStopped() && !isEnding(id) ? { ...after, status: 'expired' } : after;
    },
  };
}

type RenewalParts = {
  holds: { forget(id: string): void };
  queue: { changed(): void };
  policyVersion(): string;
  /** The prompt, or why it cannot be answered. */
  pending(id: string): ConfirmationRow | Refusal;
};

/** Nonces of earlier states of prompts. Forgetting one only makes a late answer count as a made-up one. */
const MOST_FORMER = 1_000;

/** Changes of the prompts of actions that are judged anew while they wait. */
export function createRenewal(context: Context, { holds, queue, policyVersion, pending }: RenewalParts) {
  const { store, clock } = context;
  const former = new Set<string>();
  const keyOf = (id: string, nonce: string) => `${id} ${nonce}`;
  const promptOf = ({ id }: ActionRow) => store.confirmations.findByAction(id);

  return {
    /** Whether the prompt of an action can be answered. */
    isOpen(action: ActionRow): boolean {
      const row = promptOf(action);
      return row !== undefined && !isRefusal(pending(row.id));
    },
    /** Whether an answer is for the prompt as it was before it was judged anew. */
    isForFormer: ({ id }: ConfirmationRow, { nonce }: { nonce: string }): boolean => former.has(keyOf(id, nonce)),
    /** The prompt is another one from now on, and has to be shown anew; only inside a write transaction. */
    renew(action: ActionRow, risk: RiskLevel): void {
      const row = promptOf(action);
      if (row === undefined) throw new Error(`the action ${action.id} waits for the person and has no prompt`);
      former.add(keyOf(row.id, row.nonce));
      const [oldest] = former;
      if (former.size > MOST_FORMER && oldest !== undefined) former.delete(oldest);
      store.confirmations.renew(row.id, { nonce: newNonce(), policyVersion: policyVersion() }); // guard A6-8
      store.journal.append(clock.nowMs(), { kind: 'confirmation.renewed', ...journalIds(row), metadata: { risk } });
    },
    /** To be called after that is stored. */
    renewed(action: ActionRow): void {
      const row = promptOf(action);
      if (row !== undefined) holds.forget(row.id); // guard A6-9
      queue.changed();
    },
    /** The rules let the action through, so it has no prompt; only inside a write transaction. */
    remove: (action: ActionRow): void => store.confirmations.remove(action.id),
  };
}

/** Proves that an answer is for this state of a prompt. */
export function newNonce(): string {
  return randomBytes(16).toString('base64url');
}
