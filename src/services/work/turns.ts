import { setImmediate as nextOfLoop } from 'node:timers/promises';
import type { Clock, Context } from '../context.ts';

/** How long one slice of long work may keep the event loop. The item that is under way then is finished. */
const SLICE_MS = 5;

/** The callers that wait, by requester. The requester that was served last comes last. */
const waiting = new Map<string, (() => void)[]>();
let isComing = false;

/**
 * Resolves when it is this requester's turn. One slice of work is done in each turn of the event loop, so that the person and the agent are
 * served between any two. Requesters take turns, so that one that floods delays itself. A slice that takes long is followed by a
 * rest of a third of that time, for everything else that the daemon does.
 */
export function nextTurn(requester: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const others = waiting.get(requester);
  if (others === undefined) waiting.set(requester, [resolve]);
  else others.push(resolve);
  if (!isComing) setImmediate(serve);
  isComing = true;
  return promise;
}

function serve(): void {
  const [first] = waiting;
  isComing = first !== undefined;
  if (first === undefined) return;
  const [requester, [go, ...others]] = first;
  waiting.delete(requester);
  if (others.length > 0) waiting.set(requester, others);
  const beganMs = performance.now();
  go?.();
  setImmediate(() => {
    const tookMs = performance.now() - beganMs;
    if (tookMs < SLICE_MS) serve();
    else setTimeout(serve, tookMs / 3); // guard E2-30
  });
}

/** A part of long work. Between two items of it: `if (slice.isOver()) await slice.next()`. */
export type Slice = { isOver(): boolean; next(): Promise<void> };

/** Begins the first slice. `pause` says when the next may begin: in the next turn of the event loop, if nobody takes turns. */
export function createSlice(clock: Pick<Clock, 'monotonicMs'>, pause: () => Promise<void> = () => nextOfLoop()): Slice {
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

/** Does something again and again, with a pause in between, until called off. */
export function every({ clock, log }: Context, pauseMs: number, work: () => Promise<void>): () => void {
  let stop = clock.after(pauseMs, run);
  function run(): void {
    work().catch((error: unknown) => log.error({ err: error }, 'housekeeping failed; it is tried again'));
    stop = clock.after(pauseMs, run);
  }
  return () => stop();
}
