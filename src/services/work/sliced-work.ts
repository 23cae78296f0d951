import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../context.ts';

/** How long a slice of long work may keep the event loop. The item that is under way then is finished. */
const SLICE_MS = 5;

/** How a call with much work shares the daemon's one thread with other calls. */
export type Turn = {
  /** Lets other calls be served before the next slice. */
  pause(): Promise<void>;
  /** Ends the turn. The call waits for something else from here on; another pause begins another turn. */
  end(): void;
};

/** For work that nobody waits for in a queue. */
export const UNQUEUED: Turn = { pause: () => nextTurn(), end: () => undefined };

export type Slice = {
  /** Whether the slice has lasted long enough. */
  isOver(): boolean;
  /** Pauses, and begins the next slice. */
  next(): Promise<void>;
};

/** Begins the first slice of a work. Between two items of it: `if (slice.isOver()) await slice.next()`. */
export function createSlice(clock: Pick<Clock, 'monotonicMs'>, { pause }: Pick<Turn, 'pause'>): Slice {
  let isOver = createDeadline(clock);
  return {
    isOver: () => isOver(),
    async next() {
      await pause();
      isOver = createDeadline(clock);
    },
  };
}

/** Answers whether a slice that begins now has lasted long enough. */
export function createDeadline({ monotonicMs }: Pick<Clock, 'monotonicMs'>): () => boolean {
  const endMs = monotonicMs() + SLICE_MS;
  return () => monotonicMs() >= endMs;
}
