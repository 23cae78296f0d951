import type { ConfirmationRow } from '../../store/records/confirmations.ts';
import type { Admitted } from '../actions/admission.ts';
import type { Context } from '../context.ts';
import type { Requesters } from '../requesters/requesters.ts';
import { createSlices, type Piece } from '../work/slices.ts';
import { isStorageFailure, untilStored } from '../work/storage-failure.ts';
import type { EndUnapproved } from './end-unapproved.ts';
import { createHeldDenials, endUnanswered, SAID_NO } from './undoable-denials.ts';

/** How long a denial is remembered. */
const DENIAL_LASTS_MS = 10 * 60_000;

type Parts = {
  endUnapproved: EndUnapproved;
  requesters: Requesters;
  /** Whether the person has dealt with this requester before. */
  isKnown(userId: string): boolean;
};

/** Denies prompts, at once or after the time to undo it, and ends all of them at a stop. */
export function createDenials(context: Context, { endUnapproved, requesters, isKnown }: Parts) {
  const { store, clock, log } = context;
  const held = createHeldDenials(context, { record: deny });
  /** Prompts that were denied and whose rows have not ended yet. */
  const ending = new Set<string>();
  /** Users whose breaker is looked at once all these denials are stored. */
  const denied = new Set<string>();
  const slices = createSlices(context, { done, failed });

  function done(): void {
    const userIds = [...denied];
    denied.clear();
    for (const userId of userIds) untilStored(context, () => tripBreaker(userId, { deniedAll: true }));
  }

  function failed(error: unknown): void {
    log.error({ err: error }, 'prompts were denied, but that could not be recorded yet; it is tried again');
  }

  function* denials(ids: readonly string[], details: string): Generator<Piece> {
    for (const id of ids) {
      yield () => {
        const row = store.confirmations.find(id);
        if (row?.status === 'pending') endUnapproved(row, { status: 'denied', details });
        ending.delete(id);
      };
    }
  }

  /** Denies every prompt of some users, and answers how many there were. None can be allowed any more; their rows end in slices. */
  function denyAll(isMeant: (userId: string) => boolean, details: string): number {
    const open = store.confirmations.pendingHeads().filter(({ id, userId }) => isMeant(userId) && !ending.has(id));
    const ids = open.map(({ id }) => id);
    for (const id of ids) {
      held.forget(id);
      ending.add(id);
    }
    slices.begin(denials(ids, details));
    return ids.length;
  }

  /** A requester whose requests are refused again and again is paused until the person resumes it. */
  function tripBreaker(userId: string, of: { deniedAll: boolean }): void {
    const because = requesters.trips(userId, of);
    if (because === undefined) return;
    requesters.pause(userId, because);
    denyAll((other) => other === userId, `Requests of this user were paused after ${because}; nothing was done.`);
  }

  /** Holds also where it cannot be stored yet: the prompt is out of the queue, and its row ends as soon as it can. */
  function deny(row: ConfirmationRow, heldMs = 0): void {
    try {
      endUnapproved(row, { status: 'denied', details: SAID_NO, heldMs });
    } catch (error) {
      if (!isStorageFailure(error)) throw error;
      ending.add(row.id);
      denied.add(row.userId);
      slices.begin(denials([row.id], SAID_NO));
      return;
    }
    tripBreaker(row.userId, { deniedAll: false });
  }

  return {
    /** Denies now, or holds the denial back for as long as the person can undo it. */
    deny: (row: ConfirmationRow, { undoable = false } = {}): void => (undoable ? held.hold(row) : deny(row)),
    held,
    /** Denies everything that waits for this user; answers how many prompts there were. */
    denyAllOf(userId: string): number {
      denied.add(userId);
      return denyAll((other) => other === userId, SAID_NO);
    },
    /** Denies everything that waits for requesters with which the person has never dealt. */
    denyStrangers(): number {
      const isStranger = (userId: string) => !isKnown(userId);
      for (const { userId } of store.confirmations.pendingHeads()) if (isStranger(userId)) denied.add(userId);
      return denyAll(isStranger, SAID_NO);
    },
    /** Whether a prompt was denied and its row has not ended yet. */
    isEnding: (id: string): boolean => ending.has(id) || held.isHeld(id),
    /** The pieces of work that end every waiting prompt. */
    *endings(to: { status: 'denied' | 'expired'; details: string }): Generator<Piece> {
      for (const { id } of store.confirmations.pendingHeads()) {
        yield () => {
          const row = store.confirmations.find(id);
          if (row?.status === 'pending') endUnapproved(row, endUnanswered(context, row, to));
        };
      }
    },
    /** Whether the person denied the same type of action on the same target within the last ten minutes. */
    wasJustDenied(userId: string, { digest, targetDigest }: Pick<Admitted, 'digest' | 'targetDigest'>): boolean {
      const digests = { digest, targetDigest: targetDigest() };
      if (held.isRepeated(userId, digests)) return true;
      return store.confirmations.wasDeniedAfter(userId, digests.targetDigest, clock.nowMs() - DENIAL_LASTS_MS);
    },
  };
}
