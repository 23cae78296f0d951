import type { ActionDefinition } from '../../domain/catalogue/definition.ts';
import { CATALOGUE } from '../../domain/catalogue.ts';
import type { Clock } from '../context.ts';

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
