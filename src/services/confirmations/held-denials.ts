import { DENIAL_HELD_MS } from '../../contract/denial.ts';
import type { ConfirmationRow } from '../../store/records/confirmations.ts';
import type { Context } from '../context.ts';
import { untilStored } from '../work/storage-failure.ts';
import { journalIds } from './journal-ids.ts';

type Held = { row: ConfirmationRow; atMs: number; stop: () => void };

type Digests = { digest: string; targetDigest: string };

export type HeldDenials = ReturnType<typeof createHeldDenials>;

/**
 * Denials that the person can still undo. Such a prompt has left the queue and cannot be allowed, a repetition of it is denied,
 * and its row still says pending: the requester learns of the denial when it is recorded, after 10 s or earlier. If the daemon
 * stops before that, the prompt ends without an approval as well.
 */
export function createHeldDenials(
  context: Context,
  { record }: { record(row: ConfirmationRow, heldMs: number): void },
) {
  const { store, clock } = context;
  const held = new Map<string, Held>();

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
    /** Holds a denial back for as long as it can be undone. An earlier denial of the same requester is recorded now. */
    hold(row: ConfirmationRow): void {
      for (const other of [...held.values()]) if (other.row.userId === row.userId) settle(other.row.id);
      const event = {
        kind: 'confirmation.denial_held',
        ...journalIds(row),
        metadata: { heldMs: DENIAL_HELD_MS },
      } as const;
      store.write('relaxed', () => store.journal.append(clock.nowMs(), event));
      const stop = clock.after(DENIAL_HELD_MS, () => untilStored(context, () => settle(row.id)));
      held.set(row.id, { row, atMs: clock.nowMs(), stop });
    },
    isHeld: (id: string): boolean => held.has(id),
    /** For how long a denial has been held; nothing where it is not held. */
    heldMs: (id: string): number | undefined => {
      const found = held.get(id);
      return found === undefined ? undefined : clock.nowMs() - found.atMs;
    },
    /** Takes a denial back; false where there is none any more. */
    undo: (id: string): boolean => take(id) !== undefined,
    /** The prompt has ended. */
    forget: (id: string): void => void take(id),
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
