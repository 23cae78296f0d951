import type { Context } from '../context.ts';

/** How long the button must be held where presence is required. */
const HOLD_MS = 1_000;
/** How long a completed hold counts. */
const HOLD_COUNTS_MS = 30_000;

/** Measures presses by the daemon's own clock: a claim of presence without a held press counts for nothing. */
export function createHolds({ clock }: Context) {
  const presses = new Map<string, { pressedAtMs: number; heldAtMs?: number }>();
  return {
    note(id: string, phase: 'press' | 'release'): undefined {
      const press = presses.get(id);
      const atMs = clock.monotonicMs();
      if (phase === 'press') presses.set(id, { pressedAtMs: atMs });
      else if (press !== undefined && atMs - press.pressedAtMs >= HOLD_MS)
        presses.set(id, { ...press, heldAtMs: atMs });
      else presses.delete(id);
    },
    isComplete(id: string): boolean {
      const heldAtMs = presses.get(id)?.heldAtMs;
      return heldAtMs !== undefined && clock.monotonicMs() - heldAtMs <= HOLD_COUNTS_MS;
    },
    forget: (id: string) => presses.delete(id),
  };
}
