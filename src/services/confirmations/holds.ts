import type { Context } from '../context.ts';

/** A proof that a person is at the computer: a held press that the daemon measures, or a finger on Touch ID. */
export type Presence = 'hold' | 'touchId';

/** How long the button must be held where presence is required. */
const HOLD_MS = 1_000;
/** How long a completed hold, or a touch, counts. */
const COUNTS_MS = 30_000;

/**
 * Keeps who was present for which prompt. Presses are measured by the daemon's own clock: a claim of presence without a held
 * press counts for nothing. A touch is told by the desktop shell, in this process; no call over the wire can claim one.
 */
export function createHolds({ clock }: Context) {
  const presses = new Map<string, { pressedAtMs: number; heldAtMs?: number }>();
  const touches = new Map<string, number>();
  const counts = (atMs: number | undefined) => atMs !== undefined && clock.monotonicMs() - atMs <= COUNTS_MS;
  return {
    note(id: string, phase: 'press' | 'release'): undefined {
      const press = presses.get(id);
      const atMs = clock.monotonicMs();
      if (phase === 'press') presses.set(id, { pressedAtMs: atMs });
      else if (press !== undefined && atMs - press.pressedAtMs >= HOLD_MS)
        presses.set(id, { ...press, heldAtMs: atMs });
      else presses.delete(id);
    },
    /** The system has recognized the person's finger, for this prompt. */
    touched(id: string): undefined {
      touches.set(id, clock.monotonicMs());
    },
    /** The proof of presence for this prompt, if there is one now. Where Touch ID works, a held press is no proof: programs can press. */
    presence(id: string, required: Presence): { required: Presence; proof: Presence | undefined } {
      if (counts(touches.get(id))) return { required, proof: 'touchId' };
      return { required, proof: required === 'hold' && counts(presses.get(id)?.heldAtMs) ? 'hold' : undefined };
    },
    forget(id: string): void {
      presses.delete(id);
      touches.delete(id);
    },
  };
}
