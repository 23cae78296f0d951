import type { ActionDefinition } from '../../domain/catalogue/definition.ts';
import { CATALOGUE } from '../../domain/catalogue.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { Clock, Context } from '../context.ts';
import { ALLOWED_LASTS_MS } from './dispatch.ts';

type Group = 'allowed' | 'known' | 'unknown';

type Parts = {
  /** Whether the person has dealt with this requester before. */
  isKnown(userId: string): boolean;
  /** Until when nobody could sit at the computer; infinite while that is so. */
  heldUntilMs(): number;
  /** Ends an allowed action whose turn has not come in time; it waits no longer. */
  overdue(id: string): void;
};

export type Lane = ActionDefinition['lane'];

export function laneOf(actionType: string): Lane {
  return CATALOGUE.get(actionType)?.lane ?? 'desktop';
}

export type Slots = ReturnType<typeof createSlots>;

type Slot = { lane: Lane; startedAtMs: number; dueAtMs: number; due(): void };

/** The attempts under way, each with when it began and when it is due. One timer watches all of them. */
export function createSlots(clock: Clock) {
  const slots = new Map<string, Slot>();
  let timer: { atMs: number; stop(): void } | undefined;

  /** Makes sure that the timer looks at this time, or earlier. It need not be called off when the slot is released. */
  function lookAt(atMs: number): void {
    if (timer !== undefined && timer.atMs <= atMs) return;
    timer?.stop();
    timer = { atMs, stop: clock.after(Math.max(0, atMs - clock.monotonicMs()), look) };
  }

  function look(): void {
    timer = undefined;
    const nowMs = clock.monotonicMs();
    const overdue = [...slots].filter(([, { dueAtMs }]) => dueAtMs <= nowMs);
    const later = Array.from(slots.values(), ({ dueAtMs }) => dueAtMs).filter((dueAtMs) => dueAtMs > nowMs);
    const nextAtMs = Math.min(...later);
    if (nextAtMs < NEVER) lookAt(nextAtMs);
    for (const [id, slot] of overdue) {
      // The callback before may have released this one, or given it more time.
      if (slots.get(id) !== slot || slot.dueAtMs > nowMs) continue;
      slot.dueAtMs = NEVER;
      slot.due();
    }
  }

  return {
    take(id: string, lane: Lane): void {
      slots.set(id, { lane, startedAtMs: clock.monotonicMs(), dueAtMs: NEVER, due: () => undefined });
    },
    /** Calls back unless the slot is released, or watched anew, before that. */
    watch(id: string, delayMs: number, callback: () => void): void {
      const slot = slots.get(id);
      if (slot === undefined) return;
      slot.dueAtMs = clock.monotonicMs() + delayMs;
      slot.due = callback;
      lookAt(slot.dueAtMs);
    },
    unwatch(id: string): void {
      const slot = slots.get(id);
      if (slot !== undefined) slot.dueAtMs = NEVER;
    },
    /** Milliseconds since it was taken; nothing when it is not. */
    ageMs(id: string): number | undefined {
      const slot = slots.get(id);
      return slot === undefined ? undefined : clock.monotonicMs() - slot.startedAtMs;
    },
    release: (id: string): void => void slots.delete(id),
    ids: (): string[] => [...slots.keys()],
    count: (): number => slots.size,
    countIn: (lane: Lane): number => [...slots.values()].filter((slot) => slot.lane === lane).length,
  };
}

const NEVER = Number.POSITIVE_INFINITY;

/** The actions that wait for a place, by lane: actions the person allowed, actions of known requesters, and all others. */
export function createWaiting(context: Context, { isKnown, heldUntilMs, overdue }: Parts) {
  const lanes: Record<Lane, Record<Group, ReturnType<typeof createWaitingTurns>>> = {
    desktop: { allowed: createWaitingTurns(), known: createWaitingTurns(), unknown: createWaitingTurns() },
    wait: { allowed: createWaitingTurns(), known: createWaitingTurns(), unknown: createWaitingTurns() },
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
      lanes[laneOf(row.actionType)][isAllowed ? 'allowed' : ofOthers].add(row); // guard A12-5
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
function createAllowances(
  { store, clock }: Context,
  { heldUntilMs, overdue }: { heldUntilMs(): number; overdue(id: string): void },
) {
  const waiting = new Map<string, Allowance>();

  const leftMs = ({ sinceMs, outlivesLock }: Allowance) =>
    Math.max(sinceMs, outlivesLock ? heldUntilMs() : 0) + ALLOWED_LASTS_MS - clock.nowMs(); // guard A12-1

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

/**
 * Actions that wait for their turn: those of a user in the order in which they came, users by turns, so that no user waits for
 * everything that another has asked for.
 */
function createWaitingTurns() {
  const userOf = new Map<string, string>();
  /** By user; the user that was served last comes last. */
  const waiting = new Map<string, Set<string>>();

  function remove(id: string): boolean {
    const userId = userOf.get(id);
    if (userId === undefined) return false;
    userOf.delete(id);
    const ids = waiting.get(userId);
    ids?.delete(id);
    if (ids?.size === 0) waiting.delete(userId);
    return true;
  }

  return {
    add({ id, userId }: { id: string; userId: string }): void {
      if (userOf.has(id)) return;
      userOf.set(id, userId);
      const ids = waiting.get(userId);
      if (ids === undefined) waiting.set(userId, new Set([id]));
      else ids.add(id);
    },
    has: (id: string): boolean => userOf.has(id),
    /** False where it did not wait. */
    remove,
    ids: (): string[] => [...userOf.keys()],
    /** The actions of each user; the user that was served last comes last. */
    byUser: (): [string, Set<string>][] => [...waiting],
    /** Takes one out, since its turn has come. */
    serve(id: string): void {
      const userId = userOf.get(id);
      remove(id);
      const rest = userId === undefined ? undefined : waiting.get(userId);
      if (userId === undefined || rest === undefined) return;
      waiting.delete(userId);
      waiting.set(userId, rest);
    },
    isEmpty: (): boolean => userOf.size === 0,
  };
}

/** The order in which waiting actions are tried: users with the least under way first, and of these those served longest ago. */
function inOrder(
  groups: readonly ReturnType<typeof createWaitingTurns>[],
  underWay: ReadonlyMap<string, number>,
): string[] {
  return groups
    .flatMap((group) => group.byUser())
    .toSorted(([one], [other]) => (underWay.get(one) ?? 0) - (underWay.get(other) ?? 0))
    .flatMap(([, ids]) => [...ids]);
}
