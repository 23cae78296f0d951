import type { Context } from '../context.ts';
import type { Piece } from '../work/slices.ts';
import { isStorageFailure } from '../work/storage-failure.ts';
import type { StagedTasks } from './live-actions.ts';

/** How long the changes of one transaction may take; the change that is under way then is finished. */
const BATCH_MS = 8;
/** A limit that does not depend on the clock. */
const MOST_IN_BATCH = 50;

/** Records one change, inside a write transaction. The caller calls the answer once the transaction is stored. */
export type Stage<Item> = (item: Item, staged: StagedTasks) => (() => void) | undefined;

/** Makes pieces of work of many changes. Each piece is one transaction, with as many changes as it has time for. */
export function createBatches<Item>(
  context: Pick<Context, 'store' | 'clock'>,
  stage: Stage<Item>,
): (items: readonly Item[]) => Generator<Piece> {
  const change = (items: readonly Item[], tried?: (count: number) => void) =>
    changeSome(context, { items, stage, tried });

  function oneByOne(items: readonly Item[]): Failed<Item> {
    for (const [index, item] of items.entries()) {
      try {
        change([item]);
      } catch (error) {
        const rest = items.slice(index + 1);
        if (isStorageFailure(error)) return { items: [item, ...rest], error };
        return { items: [item, ...oneByOne(rest).items], error };
      }
    }
    return { items: [] };
  }

  /** After a failure nothing of the transaction is stored, so each of its changes is tried in one of its own. */
  function piece(left: Item[]): Piece {
    let failed: Failed<Item> | undefined;
    return () => {
      if (failed !== undefined) {
        failed = oneByOne(failed.items);
        if (failed.items.length > 0) throw failed.error;
        return;
      }
      let tried = 1;
      try {
        const count = change(left, (next) => {
          tried = next;
        });
        left.splice(0, count);
      } catch (error) {
        failed = { items: left.splice(0, tried), error };
        throw error;
      }
    };
  }

  return function* pieces(items) {
    const left = [...items];
    while (left.length > 0) yield piece(left);
  };
}

type Failed<Item> = { items: Item[]; error?: unknown };

type Some<Item> = {
  items: readonly Item[];
  stage: Stage<Item>;
  /** Called before each item is tried, with its number from 1 on. */
  tried?: ((count: number) => void) | undefined;
};

/** Changes as many of the items as there is time for, from the first on, and answers how many. */
function changeSome<Item>(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  { items, stage, tried }: Some<Item>,
): number {
  const staged: StagedTasks = new Map();
  const endMs = clock.monotonicMs() + BATCH_MS;
  const takeIns = store.write('durable', () => {
    const staging: ((() => void) | undefined)[] = [];
    for (const item of items) {
      if (staging.length >= MOST_IN_BATCH || (staging.length > 0 && clock.monotonicMs() >= endMs)) break;
      tried?.(staging.length + 1);
      staging.push(stage(item, staged));
    }
    return staging;
  });
  for (const takeIn of takeIns) takeIn?.();
  return takeIns.length;
}
