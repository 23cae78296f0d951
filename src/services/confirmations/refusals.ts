import type { ConfirmationRow } from '../../store/confirmations.ts';
import type { Admitted } from '../actions/admission.ts';
import type { Context } from '../context.ts';
import type { Requesters } from '../requesters.ts';
import type { Piece } from '../slices.ts';
import type { Refuse } from './refuse.ts';

/** How long a denial is remembered. */
const DENIAL_LASTS_MS = 10 * 60_000;
const SAID_NO = 'The person said no; nothing was done.';

/** Every way for prompts to end without a yes. */
export function createRefusals(
  { store, clock }: Context,
  { refuse, requesters }: { refuse: Refuse; requesters: Requesters },
) {
  const pendingOf = (userId: string) => store.confirmations.pending().filter((row) => row.userId === userId);

  function deny(rows: readonly ConfirmationRow[], details: string): void {
    for (const row of rows) refuse(row, { status: 'denied', details });
  }

  /** A requester whose requests are refused again and again is paused until the person resumes it. */
  function tripBreaker(userId: string): void {
    const because = requesters.trips(userId);
    if (because === undefined) return;
    requesters.pause(userId, because);
    deny(pendingOf(userId), `Requests of this user were paused after ${because}; nothing was done.`);
  }

  return {
    deny(row: ConfirmationRow): void {
      refuse(row, { status: 'denied', details: SAID_NO });
      tripBreaker(row.userId);
    },
    /** Says no to everything this user waits for; answers how many there were. */
    denyAllOf(userId: string): number {
      const rows = pendingOf(userId);
      deny(rows, SAID_NO);
      tripBreaker(userId);
      return rows.length;
    },
    /** The pieces of work that end every waiting prompt. */
    *refusals(to: { status: 'denied' | 'expired'; details: string }): Generator<Piece> {
      for (const { id } of store.confirmations.pendingHeads()) {
        yield () => {
          const row = store.confirmations.find(id);
          if (row?.status === 'pending') refuse(row, to);
        };
      }
    },
    /** Whether the person denied the same type of action on the same target within the last ten minutes. */
    wasJustDenied(userId: string, { digest, targetDigest }: Pick<Admitted, 'digest' | 'targetDigest'>): boolean {
      const digests = { digest, targetDigest: targetDigest() };
      return store.confirmations.wasDeniedAfter(userId, digests, clock.nowMs() - DENIAL_LASTS_MS);
    },
  };
}
