import type { ActionRow } from '../../store/records/actions.ts';
import type { Context } from '../context.ts';
import { ALLOWED_LASTS_MS } from './dispatch.ts';

type Allowance = {
  sinceMs: number;
  /** A step of an allowed plan outlives a locked screen; an action allowed by itself expires there. */
  outlivesLock: boolean;
  stopTimer(): void;
};

/**
 * How long the allowed actions that wait for a place may still be sent: two minutes from the person's answer, or, for a step of an
 * allowed plan, from when it was ready. A requester that fills the places must not be able to choose a later moment.
 */
export function createAllowances(
  { store, clock }: Context,
  { heldUntilMs, overdue }: { heldUntilMs(): number; overdue(id: string): void },
) {
  const waiting = new Map<string, Allowance>();

  const leftMs = ({ sinceMs, outlivesLock }: Allowance) =>
    Math.max(sinceMs, outlivesLock ? heldUntilMs() : 0) + ALLOWED_LASTS_MS - clock.nowMs();

  function watch(id: string, allowance: Allowance): void {
    const delayMs = Math.min(leftMs(allowance), ALLOWED_LASTS_MS);
    allowance.stopTimer = clock.after(delayMs, () => {
      if (leftMs(allowance) > 0) watch(id, allowance);
      else overdue(id);
    });
  }

  function forget(id: string): void {
    waiting.get(id)?.stopTimer();
    waiting.delete(id);
  }

  return {
    /** Notes an action that begins to wait, and answers whether the person allowed it. */
    note(row: ActionRow, readySinceMs: number | undefined): boolean {
      forget(row.id);
      const sinceMs = readySinceMs ?? store.confirmations.findByAction(row.id)?.decidedAtMs;
      if (sinceMs === undefined) return false;
      const allowance = { sinceMs, outlivesLock: readySinceMs !== undefined, stopTimer: () => undefined };
      waiting.set(row.id, allowance);
      watch(row.id, allowance);
      return true;
    },
    /** Whether the time of an action was over when its turn came, which is now. */
    take(id: string): { isOverdue: boolean; readySinceMs: number | undefined } {
      const allowance = waiting.get(id);
      forget(id);
      if (allowance === undefined) return { isOverdue: false, readySinceMs: undefined };
      const readySinceMs = allowance.outlivesLock ? allowance.sinceMs : undefined;
      return { isOverdue: leftMs(allowance) <= 0, readySinceMs };
    },
    forget,
  };
}
