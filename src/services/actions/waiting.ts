import type { ActionRow } from '../../store/records/actions.ts';
import type { Context } from '../context.ts';
import { createAllowances } from './allowances.ts';
import { createTurns, inOrder } from './fair-queue.ts';
import { type Lane, laneOf } from './slots.ts';

type Group = 'allowed' | 'known' | 'unknown';

type Parts = {
  /** Whether the person has dealt with this requester before. */
  isKnown(userId: string): boolean;
  /** Until when nobody could sit at the computer; infinite while that is so. */
  heldUntilMs(): number;
  /** Ends an allowed action whose turn has not come in time; it waits no longer. */
  overdue(id: string): void;
};

/** The actions that wait for a place, by lane: actions the person allowed, actions of known requesters, and all others. */
export function createWaiting(context: Context, { isKnown, heldUntilMs, overdue }: Parts) {
  const lanes: Record<Lane, Record<Group, ReturnType<typeof createTurns>>> = {
    desktop: { allowed: createTurns(), known: createTurns(), unknown: createTurns() },
    wait: { allowed: createTurns(), known: createTurns(), unknown: createTurns() },
  };
  const groups = Object.values(lanes).flatMap((lane) => Object.values(lane));
  const allowances = createAllowances(context, {
    heldUntilMs,
    overdue(id) {
      if (remove(id)) overdue(id);
    },
  });

  function remove(id: string): boolean {
    allowances.forget(id);
    return groups.some((group) => group.remove(id));
  }

  return {
    /** `readySinceMs` names since when a step of an allowed plan could have been sent. */
    add(row: ActionRow, readySinceMs: number | undefined): void {
      const isAllowed = allowances.note(row, readySinceMs);
      const ofOthers = isKnown(row.userId) ? 'known' : 'unknown';
      lanes[laneOf(row.actionType)][isAllowed ? 'allowed' : ofOthers].add(row);
    },
    /** In which order actions are to be tried: allowed ones first, then users by turns. */
    next(lane: Lane, { forAll, underWay }: { forAll: boolean; underWay: ReadonlyMap<string, number> }): string[] {
      const { allowed, known, unknown } = lanes[lane];
      return [...inOrder([allowed], underWay), ...inOrder(forAll ? [known, unknown] : [known], underWay)];
    },
    /** Takes one out, since its turn has come. */
    serve(id: string): ReturnType<typeof allowances.take> {
      const taken = allowances.take(id);
      for (const group of groups) group.serve(id);
      return taken;
    },
    /** False where it did not wait. */
    remove,
    /** Takes all of them out. */
    takeAll(): string[] {
      const ids = groups.flatMap((group) => group.ids());
      for (const id of ids) remove(id);
      return ids;
    },
    isEmpty: (): boolean => groups.every((group) => group.isEmpty()),
  };
}
