import { setTimeout as delay } from 'node:timers/promises';

/** Time as the driver sees it; tests bring their own. `wait` ends early, without an error, when the signal is aborted. */
export type Clock = { now(): number; wait(delayMs: number, signal: AbortSignal): Promise<void> };

export const systemClock: Clock = {
  now: () => performance.now(),
  wait: (delayMs, signal) =>
    delay(delayMs, undefined, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    }),
};
