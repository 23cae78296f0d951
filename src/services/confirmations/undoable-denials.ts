import { DENIAL_HELD_MS } from '../../contract/times.ts';
import type { ConfirmationRow } from '../../store/records/confirmations.ts';
import type { Context } from '../context.ts';
import { tryToStore } from '../work/storage-failure.ts';
import { journalIds } from './journal-ids.ts';

type Held = { row: ConfirmationRow; atMs: number; stop: () => void };

type Parts = {
  record(row: ConfirmationRow, heldMs: number): void;
  /** The prompt has ended with its denial before the time to undo that was over. */
  recorded(userId: string): void;
};

type Digests = { digest: string; targetDigest: string };

export type HeldDenials = ReturnType<typeof createHeldDenials>;

/**
 * Denials that the person can still undo. Such a prompt has left the queue and cannot be allowed, and a repetition of it is denied.
 * Its row still says pending, and since when the person denied it. The denial is recorded at most 10 s later. If the daemon is killed before the denial is recorded, its next start records the denial.
 */
export function createHeldDenials(context: Context, { record, recorded }: Parts) {
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
      if (found !== undefined) recorded(found.row.userId);
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
