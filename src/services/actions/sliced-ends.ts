import type { Context } from '../context.ts';
import { createSlices, type Piece } from '../work/slices.ts';

type Options = {
  /** Records one end, inside a write transaction. The answer is called once that is stored. */
  stage(id: string): (() => void) | undefined;
  /** Called once all ends are stored. */
  done(): void;
  /** Called with the first failure of a slice. Its ends are tried again. */
  failed(error: unknown): void;
};

/**
 * Records the ends of hundreds of actions, in slices of transactions. The event loop serves other work in between. The first slice
 * runs within the call.
 */
export function createSlicedEnds(context: Context, { stage, done, failed }: Options) {
  const slices = createSlices(context, { done, failed });

  function* pieces(ids: readonly string[]): Generator<Piece> {
    for (const id of ids) yield () => context.store.write('durable', () => stage(id))?.();
  }

  return (ids: readonly string[]): void => slices.begin(pieces(ids));
}
