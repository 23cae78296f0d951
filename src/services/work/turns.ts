import { setImmediate as nextOfLoop } from 'node:timers/promises';
import type { Clock } from '../context.ts';

/** How long one piece of work may keep the event loop. The item that is under way then is finished. */
const PIECE_MS = 5;

/** The callers that wait, by requester. The requester that was served last comes last. */
const waiting = new Map<string, (() => void)[]>();
let isComing = false;

/**
 * Resolves when it is this requester's turn. One piece of work is done in each turn of the event loop, so that the person and the agent are
 * served between any two. Requesters take turns, so that one that floods delays itself. A piece that takes long is followed by as
 * long a rest: requesters cannot use up the thread.
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
    if (tookMs < PIECE_MS) serve();
    else setTimeout(serve, tookMs);
  });
}

/** Work that is done in pieces. Between two items of it: `if (pieces.isOver()) await pieces.next()`. */
export type Pieces = { isOver(): boolean; next(): Promise<void> };

/** Begins the first piece. `pause` says when the next may begin: in the next turn of the event loop, if nobody takes turns. */
export function createPieces(
  clock: Pick<Clock, 'monotonicMs'>,
  pause: () => Promise<void> = () => nextOfLoop(),
): Pieces {
  let isOver = createDeadline(clock);
  return {
    isOver: () => isOver(),
    async next() {
      await pause();
      isOver = createDeadline(clock);
    },
  };
}

/** Answers whether a piece that begins now has lasted long enough. */
export function createDeadline({ monotonicMs }: Pick<Clock, 'monotonicMs'>): () => boolean {
  const endMs = monotonicMs() + PIECE_MS;
  return () => monotonicMs() >= endMs;
}
