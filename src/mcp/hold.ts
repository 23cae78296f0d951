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
  /** Tells the client why its call is held. */
  tell(found: Found, progress: { elapsedMs: number; holdMs: number }): Promise<void>;
  nowMs(): number;
};

/** Holds a call until its action or task is over, for a time that clients allow, and tells how it stands in between. */
export async function hold<Found>(first: Found, holding: Holding<Found>): Promise<Found | Refusal> {
  const { holdMs, gone, nowMs } = holding;
  const startMs = nowMs();
  let found = first;
  if (holdMs > 0 && !holding.isOver(found)) await holding.tell(found, { elapsedMs: 0, holdMs });
  for (;;) {
    const leftMs = startMs + holdMs - nowMs();
    if (holding.isOver(found) || leftMs <= 0 || gone.aborted) return found;
    const next = await holding.next({ waitMs: Math.min(leftMs, PROGRESS_EVERY_MS), gone });
    if (isRefusal(next)) return next;
    found = next;
    if (!holding.isOver(found)) await holding.tell(found, { elapsedMs: nowMs() - startMs, holdMs });
  }
}
