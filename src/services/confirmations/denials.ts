import type { ConfirmationRow, PendingConfirmation } from '../../store/records/confirmations.ts';
import type { Admitted } from '../actions/admission.ts';
import { SAID_NO, type UnapprovedEnd } from '../actions/unapproved-end.ts';
import type { Context } from '../context.ts';
import type { Requesters } from '../requesters/requesters.ts';
import { createSlices, type Piece } from '../work/slices.ts';
import { isStorageFailure, untilStored } from '../work/storage-failure.ts';
import type { EndUnapproved } from './end-unapproved.ts';
import { createHeldDenials } from './undoable-denials.ts';

/** How long a denial is remembered. */
const DENIAL_LASTS_MS = 10 * 60_000;

const DENIED = { status: 'denied', details: SAID_NO } as const;
const PAUSED = {
  status: 'cancelled',
  details: 'The person paused the requests of this user; nothing was done.',
} as const;

type Parts = {
  endUnapproved: EndUnapproved;
  requesters: Requesters;
  /** Whether the person has dealt with this requester before. */
  isKnown(userId: string): boolean;
};

/** Denies prompts, at once or after the time to undo it, and ends those of a requester that is paused. */
export function createDenials(context: Context, { endUnapproved, requesters, isKnown }: Parts) {
  const { store, clock, log } = context;
  const held = createHeldDenials(context, {
    record: deny,
    recorded: (userId) => untilStored(context, () => tripBreaker(userId, { deniedAll: false })),
  });
  /** How prompts end whose rows have not ended yet. */
  const ending = new Map<string, UnapprovedEnd>();
  /** Users whose breaker is looked at once all these denials are stored. */
  const denied = new Set<string>();
  const slices = createSlices(context, { done, failed });

  function done(): void {
    const userIds = [...denied];
    denied.clear();
    for (const userId of userIds) untilStored(context, () => tripBreaker(userId, { deniedAll: true }));
  }

  function failed(error: unknown): void {
    log.error({ err: error }, 'prompts have ended, but that could not be recorded yet; it is tried again');
  }

  function* endings(ids: readonly string[], to: UnapprovedEnd): Generator<Piece> {
    for (const id of ids) {
      yield () => {
        const row = store.confirmations.find(id);
        if (row?.status === 'pending') endUnapproved(row, ending.get(id) ?? to);
        ending.delete(id);
      };
    }
  }

  /** Ends every prompt of some users, and answers how many there were. None can be allowed any more; their rows end in slices. */
  function endAll(isMeant: (userId: string) => boolean, to: UnapprovedEnd): number {
    const open = store.confirmations.pendingHeads().filter(({ id, userId }) => isMeant(userId) && !ending.has(id));
    const ids = idsOf(open);
    for (const id of ids) {
      held.release(id);
      ending.set(id, to);
    }
    slices.begin(endings(ids, to));
    return ids.length;
  }

  /** A requester whose requests are refused again and again is paused until the person resumes it. */
  function tripBreaker(userId: string, of: { deniedAll: boolean }): void {
    const because = requesters.trips(userId, of);
    if (because === undefined) return;
    requesters.pause(userId, because);
    const details = `Requests of this user were paused after ${because}; nothing was done.`;
    endAll((other) => other === userId, { status: 'cancelled', details });
  }

  /** Holds also where it cannot be stored yet: the prompt is out of the queue, and its row ends as soon as it can. */
  function deny(row: ConfirmationRow, heldMs = 0): void {
    try {
      endUnapproved(row, { ...DENIED, heldMs });
    } catch (error) {
      if (!isStorageFailure(error)) throw error;
      ending.set(row.id, { ...DENIED, heldMs });
      denied.add(row.userId);
      slices.begin(endings([row.id], DENIED));
      return;
    }
    tripBreaker(row.userId, { deniedAll: false });
  }

  return {
    /** Denies now, or holds the denial back for as long as the person can undo it. */
    deny(
      row: ConfirmationRow,
      { undoable = false, note }: { undoable?: boolean; note?: string | undefined } = {},
    ): void {
      if (undoable) held.hold(row, note);
      else deny(note === undefined ? row : { ...row, denialHeldAtMs: clock.nowMs(), denialNote: note });
    },
    held,
    /** Denies everything that waits for this user; answers how many prompts there were. */
    denyAllOf(userId: string): number {
      denied.add(userId);
      return endAll((other) => other === userId, DENIED);
    },
    /** Ends everything that waits for a user whom the person has paused. That denies nothing. */
    endPaused: (userId: string): number => endAll((other) => other === userId, PAUSED),
    /** Denies everything that waits for requesters with which the person has never dealt. */
    denyStrangers(): number {
      const isStranger = (userId: string) => !isKnown(userId);
      for (const { userId } of store.confirmations.pendingHeads()) if (isStranger(userId)) denied.add(userId);
      return endAll(isStranger, DENIED);
    },
    /** Whether a prompt was denied or called off and its row has not ended yet. */
    isEnding: (id: string): boolean => ending.has(id) || held.isHeld(id),
    /** The pieces of work that end every waiting prompt. */
    endings: (to: UnapprovedEnd): Generator<Piece> => endings(idsOf(store.confirmations.pendingHeads()), to),
    /** The pieces of work that record the denials of the person whose prompts have not ended. */
    denialEndings(): Generator<Piece> {
      const isDenied = ({ id, denialHeldAtMs }: PendingConfirmation) =>
        denialHeldAtMs !== undefined || ending.get(id)?.status === 'denied';
      return endings(idsOf(store.confirmations.pendingHeads().filter(isDenied)), DENIED);
    },
    /** Whether the person denied the same type of action on the same target within the last ten minutes. */
    wasJustDenied(userId: string, { digest, targetDigest }: Pick<Admitted, 'digest' | 'targetDigest'>): boolean {
      const digests = { digest, targetDigest: targetDigest() };
      if (held.isRepeated(userId, digests)) return true;
      return store.confirmations.wasDeniedAfter(userId, digests.targetDigest, clock.nowMs() - DENIAL_LASTS_MS);
    },
  };
}

function idsOf(rows: readonly { id: string }[]): string[] {
  return rows.map(({ id }) => id);
}
