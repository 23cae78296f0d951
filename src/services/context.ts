import { randomFillSync } from 'node:crypto';
import { monotonicFactory } from 'ulid';
import type { Store } from '../store/store.ts';

export type Clock = {
  /** Milliseconds since 1970. The daemon's clock ignores leaps of the computer's clock (`createSteadyClock`). */
  nowMs(): number;
  /** Milliseconds that only ever grow. */
  monotonicMs(): number;
  /** Calls back once after so many milliseconds; the answer calls it off. Does not keep the process alive. */
  after(delayMs: number, callback: () => void): () => void;
  /** By how much the computer's clock is ahead of `nowMs`. Negative if it was set back. */
  aheadMs?(): number;
};

export type Log = {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
};

/** The dependencies of every service. Only the composition root constructs them. */
export type Context = {
  store: Store;
  clock: Clock;
  log: Log;
  /** A new id, `<prefix>_<ULID>`, greater than every one before it. */
  newId(prefix: string): string;
};

export const systemClock: Clock = {
  nowMs: Date.now,
  monotonicMs: () => performance.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Ids that sort by age even within one millisecond and when the clock is set back (monotonic ULIDs). */
export function createIds(clock: Clock): (prefix: string) => string {
  const ulid = monotonicFactory(createRandom());
  let latestMs = 0;
  return (prefix) => {
    latestMs = Math.max(latestMs, clock.nowMs());
    return `${prefix}_${ulid(latestMs)}`;
  };
}

/** Numbers from 0 to below 1 from the system's randomness, which costs by the call: one fills many ids. */
function createRandom(): () => number {
  const pool = new Uint8Array(4_096);
  let next = pool.length;
  return () => {
    if (next === pool.length) {
      randomFillSync(pool);
      next = 0;
    }
    const byte = pool[next] ?? 0;
    next += 1;
    return byte / 256;
  };
}
