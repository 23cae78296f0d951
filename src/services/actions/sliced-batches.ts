import type { Context } from '../context.ts';
import { createSlices } from '../work/slices.ts';
import { createBatches, type Stage } from './batches.ts';

type Options<Item> = {
  /** Records one change, as in `createBatches`. */
  stage: Stage<Item>;
  /** Called once all changes are stored. */
  done(): void;
  /** Called with the first failure of a slice. Its changes are tried again. */
  failed(error: unknown): void;
};

/**
 * Records thousands of changes in slices of one transaction each. The event loop serves other work in between. The first slice
 * runs within the call.
 */
export function createSlicedBatches<Item>(context: Context, { stage, done, failed }: Options<Item>) {
  const slices = createSlices(context, { done, failed, mostPieces: 1 });
  const batches = createBatches(context, stage);
  return (items: readonly Item[]): void => {
    try {
      slices.start(batches(items));
    } catch (error) {
      failed(error);
    }
  };
}
