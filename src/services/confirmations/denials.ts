import type { Confirmation } from '../../contract/console.ts';
import { DENIAL_HELD_MS } from '../../contract/times.ts';
import type { ConfirmationRow, PendingConfirmation } from '../../store/records/confirmations.ts';
import type { Admitted } from '../actions/admission.ts';
import { SAID_NO, type UnapprovedEnd } from '../actions/cancellation.ts';
import type { Context } from '../context.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import type { Requesters } from '../requesters/requesters.ts';
import { createSlices, type Piece } from '../work/slices.ts';
import { isStorageFailure, tryToStore, untilStored } from '../work/storage-failure.ts';
import { EXPIRED_WHILE_DENIED, isOverdue } from './expiry.ts';
import { journalIds } from './journal-ids.ts';
import type { EndUnapproved } from './pending.ts';

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

type Held = { row: ConfirmationRow; atMs: number; stop: () => void };

type HeldDenialsParts = {
  record(row: ConfirmationRow, heldMs: number): void;
  /** The prompt has ended with its denial before the time to undo that was over. */
  recorded(userId: string): void;
};

type Digests = { digest: string; targetDigest: string };

type HeldDenials = ReturnType<typeof createHeldDenials>;

/**
 * Denials that the person can still undo. Such a prompt has left the queue and cannot be allowed, and a repetition of it is denied.
 * Its row still says pending, and since when the person denied it. The denial is recorded at most 10 s later. If the daemon is killed before the denial is recorded, its next start records the denial.
 */
function createHeldDenials(context: Context, { record, recorded }: HeldDenialsParts) {
  const { store, clock } = context;
  const held = new Map<string, Held>();
  const watchers = new Map<string, Set<() => void>>();
  const tell = (id: string) => [...(watchers.get(id) ?? [])].forEach((callback) => void callback());

  function take(id: string): Held | undefined {
    const found = held.get(id);
    found?.stop();
    held.delete(id);
    return found;
  }

  /** Records a denial now. It may have ended otherwise in the meantime. */
  function settle(id: string): void {
    const found = take(id);
    const row = store.confirmations.find(id);
    if (found !== undefined && row?.status === 'pending') record(row, clock.nowMs() - found.atMs);
  }

  return {
    /** Holds a denial back for as long as it can be undone. */
    hold(row: ConfirmationRow, note?: string): void {
      const atMs = clock.nowMs();
      const metadata = { heldMs: DENIAL_HELD_MS };
      tryToStore(context, 'a denial holds, but could not be noted before it is final', () =>
        store.write('durable', () => {
          store.confirmations.holdDenial(row.id, atMs, note);
          store.journal.append(atMs, { kind: 'confirmation.denial_held', ...journalIds(row), metadata });
        }),
      );
      const stop = clock.after(DENIAL_HELD_MS, () => settle(row.id));
      held.set(row.id, { row, atMs, stop });
      tell(row.id);
    },
    isHeld: (id: string): boolean => held.has(id),
    /** Takes a held denial back. False if no denial is held. */
    undo(id: string): boolean {
      const isUndone = take(id) !== undefined;
      if (isUndone) tell(id);
      return isUndone;
    },
    /** Calls back when a denial of this prompt begins to be held or is taken back, until the answered function is called. */
    whenChanged(id: string, callback: () => void): () => void {
      const own = watchers.get(id) ?? new Set();
      watchers.set(id, own.add(callback));
      return () => {
        own.delete(callback);
        if (own.size === 0 && watchers.get(id) === own) watchers.delete(id);
      };
    },
    /** Leaves the denial to others to record. */
    release: (id: string): void => void take(id),
    /** The prompt has ended, with its denial if one was held. */
    forget(id: string): void {
      const found = take(id);
      if (found !== undefined) recorded(found.row.userId); // guard E-26
    },
    /** Whether a request of this requester would repeat a denial that is held. */
    isRepeated: (userId: string, digests: Digests): boolean =>
      [...held.values()].some(({ row }) => row.userId === userId && isAbout(row, digests)),
  };
}

function isAbout(row: ConfirmationRow, { digest, targetDigest }: Digests): boolean {
  const isSame = (one: { digest?: string | undefined; targetDigest?: string | undefined }) =>
    one.digest === digest || one.targetDigest === targetDigest;
  if (row.kind === 'action') return isSame({ digest: row.actionDigest, targetDigest: row.targetDigest });
  return row.steps.some((step) => step.consent === 'asked' && isSame(step));
}

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

type UndoParts = {
  held: Pick<HeldDenials, 'isHeld' | 'undo'>;
  holds: { forget(id: string): void };
  queue: { changed(): void; view(id: string): Confirmation };
  turns: { giveBack(userId: string): void };
  /** Whether everything is stopped, so that no request can wait. */
  isStopped(): boolean;
};

/** Takes a denial back that is still held: the prompt is in the queue again and has to be shown anew before it can be allowed. */
export function createUndo(context: Context, { held, holds, queue, turns, isStopped }: UndoParts) {
  const { store, clock } = context;

  function record(row: ConfirmationRow): void {
    store.write('relaxed', () => {
      store.confirmations.undoDenial(row.id);
      store.confirmations.markUnseen(row.id);
      store.journal.append(clock.nowMs(), {
        kind: 'confirmation.denial_undone',
        ...journalIds(row),
      });
    });
  }

  /** The prompt whose denial can be undone, or why it cannot. */
  function find(id: string): ConfirmationRow | Refusal {
    const row = store.confirmations.find(id);
    if (row === undefined) return { refused: 'not_found', detail: `There is no confirmation ${id}.` };
    if (!held.isHeld(id) || row.status !== 'pending' || isStopped()) return SETTLED;
    return isOverdue(context, row) ? EXPIRED_WHILE_DENIED : row;
  }

  return (id: string): Confirmation | Refusal => {
    const row = find(id);
    if (isRefusal(row)) return row;
    record(row);
    held.undo(id);
    holds.forget(id); // guard E2-22
    turns.giveBack(row.userId);
    queue.changed();
    return queue.view(id);
  };
}

const SETTLED: Refusal = {
  refused: 'confirmation_resolved',
  detail: 'There is no denial that can be undone: it can be for 10 s, unless the request has ended otherwise.',
};
