import { isRefusal, type Refusal } from '../services/refusal.ts';

const PROGRESS_EVERY_MS = 5_000;

/** Longer than any action or task lives; no timer can be set for more. */
export const FOR_ITS_WHOLE_LIFE = { waitMs: 2_147_483_647, gone: new AbortController().signal };

type Holding<Found> = {
  /** How long at most. */
  holdMs: number;
  /** Aborts when the client has gone. */
  gone: AbortSignal;
  isOver(found: Found): boolean;
  /** The record once it is over, or after the wait. */
  next(wait: { waitMs: number; gone: AbortSignal }): Promise<Found | Refusal>;
  /** The open prompt of the record, and how to hear at once of a denial of it that can still be undone. */
  promptOf(found: Found): { id: string } | undefined;
  whenDenialChanges(confirmationId: string, callback: () => void): () => void;
  /** Tells the client why its call is held. */
  tell(found: Found, progress: { elapsedMs: number; holdMs: number }): Promise<void>;
  nowMs(): number;
};

/** Holds a call until its action or task is over, for a time that clients allow, and tells how it stands in between. */
export async function hold<Found>(first: Found, holding: Holding<Found>): Promise<Found | Refusal> {
  const { holdMs, gone, nowMs } = holding;
  const startMs = nowMs();
  let found = first;
  for (let elapsedMs = 0; holdMs > 0 && !holding.isOver(found); elapsedMs = nowMs() - startMs) {
    const denial = watchDenial(found, holding);
    try {
      await holding.tell(found, { elapsedMs, holdMs });
      const leftMs = startMs + holdMs - nowMs();
      if (leftMs <= 0 || gone.aborted) return found;
      const waitMs = denial.signal.aborted ? 0 : Math.min(leftMs, PROGRESS_EVERY_MS);
      const next = await holding.next({ waitMs, gone: AbortSignal.any([gone, denial.signal]) });
      if (isRefusal(next)) return next;
      found = next;
    } finally {
      denial.forget();
    }
  }
  return found;
}

/** A signal that aborts when the person denies the open prompt of the record, or takes that back. */
function watchDenial<Found>(found: Found, { promptOf, whenDenialChanges }: Holding<Found>) {
  const changed = new AbortController();
  const prompt = promptOf(found);
  const forget = prompt === undefined ? () => undefined : whenDenialChanges(prompt.id, () => changed.abort());
  return { signal: changed.signal, forget };
}
