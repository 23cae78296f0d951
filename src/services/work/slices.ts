import type { Context } from '../context.ts';
import { isStorageFailure, STORAGE_RETRY_MS } from './storage-failure.ts';
import { createDeadline } from './turns.ts';

/** One piece of long work: small, synchronous, and harmless to do twice. */
export type Piece = () => void;

/** A limit for a slice that does not depend on the clock. */
const MOST_PIECES = 100;

type Options = {
  /** Called once nothing is left. */
  done(): void;
  /** Called with the first failure of a slice that runs later, or that `begin` ran. It is tried again. */
  failed(error: unknown): void;
};

/**
 * Does long work in slices, and lets the event loop serve everything else in between. The first slice runs within the call,
 * so short work is done when the call returns. A piece that fails is done again a second later.
 */
export function createSlices({ clock }: Pick<Context, 'clock'>, on: Options) {
  const queue: Iterator<Piece>[] = [];
  let failedPieces: Piece[] = [];
  let isRefusedByStorage = false;
  let stopTimer: (() => void) | undefined;

  const isBusy = () => queue.length > 0 || failedPieces.length > 0;

  function next(): Piece | undefined {
    for (let first = queue[0]; first !== undefined; first = queue[0]) {
      const piece = first.next();
      if (piece.done !== true) return piece.value;
      queue.shift();
    }
    return undefined;
  }

  /** Answers the failures of one slice. It ends at a failure of the storage, which would not take the next piece either. */
  function slice(): unknown[] {
    const failures: unknown[] = [];
    const isOver = createDeadline(clock);
    for (let count = 0; count < MOST_PIECES && !isOver(); count += 1) {
      const piece = next();
      if (piece === undefined) break;
      try {
        piece();
      } catch (error) {
        failures.push(error);
        failedPieces.push(piece);
        if (isStorageFailure(error)) break;
      }
    }
    return failures;
  }

  function go(): unknown[] {
    stopTimer?.();
    const failures = slice();
    isRefusedByStorage = failures.some(isStorageFailure);
    if (!isBusy()) on.done();
    else stopTimer = clock.after(queue.length === 0 || isRefusedByStorage ? STORAGE_RETRY_MS : 0, goOn);
    return failures;
  }

  function goOn(): void {
    if (queue.length === 0 || isRefusedByStorage) takeUpFailed();
    const [failure] = go();
    if (failure !== undefined) on.failed(failure);
  }

  function takeUpFailed(): void {
    queue.unshift(failedPieces[Symbol.iterator]());
    failedPieces = [];
  }

  function goNow(): void {
    const [failure] = go();
    if (failure !== undefined) throw failure;
  }

  return {
    /** Does these pieces after the remaining ones. Throws the first failure of the first slice, but tries that slice again later. */
    start(pieces: Iterable<Piece>): void {
      takeUpFailed();
      queue.push(pieces[Symbol.iterator]());
      goNow();
    },
    /** The same for a change that holds before it is stored: the failure is told to `failed`, and not thrown. */
    begin(pieces: Iterable<Piece> = []): void {
      takeUpFailed();
      queue.push(pieces[Symbol.iterator]());
      const [failure] = go();
      if (failure !== undefined) on.failed(failure);
    },
    /** Does one more slice now, and throws as `start` does. */
    hurry(): void {
      takeUpFailed();
      goNow();
    },
    isBusy,
  };
}
