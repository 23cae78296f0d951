import type { ActionDefinition } from '../../domain/catalogue/definition.ts';
import { CATALOGUE } from '../../domain/catalogue.ts';
import type { Clock } from '../context.ts';

export type Lane = ActionDefinition['lane'];

export function laneOf(actionType: string): Lane {
  return CATALOGUE.get(actionType)?.lane ?? 'desktop';
}

/** The attempts under way, each with when it began and the one timer that watches it. */
export function createSlots(clock: Clock) {
  const slots = new Map<string, { lane: Lane; startedAtMs: number; stopTimer(): void }>();
  return {
    take(id: string, lane: Lane): void {
      slots.set(id, { lane, startedAtMs: clock.monotonicMs(), stopTimer: () => undefined });
    },
    /** Calls back unless the slot is released, or watched anew, before that. */
    watch(id: string, delayMs: number, callback: () => void): void {
      const slot = slots.get(id);
      if (slot === undefined) return;
      slot.stopTimer();
      slot.stopTimer = clock.after(delayMs, callback);
    },
    unwatch: (id: string): void => slots.get(id)?.stopTimer(),
    /** Milliseconds since it was taken; nothing when it is not. */
    ageMs(id: string): number | undefined {
      const slot = slots.get(id);
      return slot === undefined ? undefined : clock.monotonicMs() - slot.startedAtMs;
    },
    release(id: string): void {
      slots.get(id)?.stopTimer();
      slots.delete(id);
    },
    ids: (): string[] => [...slots.keys()],
    count: (): number => slots.size,
    countIn: (lane: Lane): number => [...slots.values()].filter((slot) => slot.lane === lane).length,
  };
}
