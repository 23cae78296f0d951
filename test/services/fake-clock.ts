import type { Clock } from '../../src/services/context.ts';

export type FakeClock = Clock & {
  /** Moves both clocks on and calls what was due, in order. */
  advance(ms: number): void;
  /** Sets the wall clock alone, as a person or the network may. */
  setWallClock(atMs: number): void;
  /** Calls off everything that was to come, as the end of a process does. */
  forgetTimers(): void;
};

/** A clock that stands still until it is told to move. */
export function createFakeClock(startMs = Date.parse('2026-01-01T00:00:00.000Z')): FakeClock {
  let wallMs = startMs;
  let monotonicMs = 0;
  let timers: { dueMs: number; callback: () => void }[] = [];
  return {
    nowMs: () => wallMs,
    monotonicMs: () => monotonicMs,
    after(delayMs, callback) {
      const timer = { dueMs: monotonicMs + delayMs, callback };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    advance(ms) {
      const endMs = monotonicMs + ms;
      for (;;) {
        const next = timers.filter(({ dueMs }) => dueMs <= endMs).toSorted((one, other) => one.dueMs - other.dueMs)[0];
        if (next === undefined) break;
        timers = timers.filter((other) => other !== next);
        wallMs += next.dueMs - monotonicMs;
        monotonicMs = next.dueMs;
        next.callback();
      }
      wallMs += endMs - monotonicMs;
      monotonicMs = endMs;
    },
    setWallClock(atMs) {
      wallMs = atMs;
    },
    forgetTimers() {
      timers = [];
    },
  };
}
