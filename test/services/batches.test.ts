import { expect, test } from 'vitest';
import { createBatches } from '../../src/services/actions/batches.ts';
import type { Piece } from '../../src/services/work/slices.ts';
import { StorageUnavailable } from '../../src/store/database/database.ts';
import { startServices } from './rig.ts';

/** Batches over a real store that write one setting for each item, with a clock that every change moves on. */
function rig({ changeMs = 0, fail = (_: string): Error | undefined => undefined } = {}) {
  const { store, clock } = startServices();
  const takenIn: string[] = [];
  let spentMs = 0;
  let transactions = 0;
  const write: typeof store.write = (durability, work) => {
    transactions += 1;
    return store.write(durability, work);
  };
  const timed = { ...clock, monotonicMs: () => clock.monotonicMs() + spentMs };
  const batches = createBatches<string>({ store: { ...store, write }, clock: timed }, (item) => {
    spentMs += changeMs;
    store.settings.set(item, true);
    const failure = fail(item);
    if (failure !== undefined) throw failure;
    return () => void takenIn.push(item);
  });
  const isStored = (item: string) => store.settings.get(item) === true;
  return { batches, takenIn, isStored, transactions: () => transactions };
}

function nextOf(pieces: Iterator<Piece>): Piece {
  const next = pieces.next();
  if (next.done === true) throw new Error('expected another piece');
  return next.value;
}

const items = (count: number) => Array.from({ length: count }, (_, index) => `item${index}`);

test('a transaction ends with the change in which eight milliseconds are over', () => {
  const { batches, takenIn, transactions } = rig({ changeMs: 4 });
  for (const piece of batches(items(5))) piece();
  expect(takenIn).toEqual(items(5));
  expect(transactions()).toBe(3);
});

test('a transaction has fifty changes at most', () => {
  const { batches, takenIn, transactions } = rig();
  for (const piece of batches(items(100))) piece();
  expect([takenIn.length, transactions()]).toEqual([100, 2]);
  const more = rig();
  for (const piece of more.batches(items(101))) piece();
  expect([more.takenIn.length, more.transactions()]).toEqual([101, 3]);
});

test('a change that fails takes back its transaction; done again, every other change of it is stored by itself', () => {
  const broken = new Error('broken');
  let isBroken = true;
  const { batches, takenIn, isStored } = rig({ fail: (item) => (isBroken && item === 'item1' ? broken : undefined) });
  const pieces = batches(items(3));
  const first = nextOf(pieces);
  expect(first).toThrow(broken);
  expect([takenIn, items(3).filter(isStored)]).toEqual([[], []]);
  nextOf(pieces)();
  expect(takenIn).toEqual(['item2']);
  expect(first).toThrow(broken);
  expect(takenIn).toEqual(['item2', 'item0']);
  expect(items(3).filter(isStored)).toEqual(['item0', 'item2']);
  isBroken = false;
  first();
  expect(takenIn).toEqual(['item2', 'item0', 'item1']);
  expect(pieces.next().done).toBe(true);
});

test('a storage that refuses is asked once, and not again for every change', () => {
  let asked = 0;
  let isFull = true;
  const { batches, takenIn } = rig({
    fail() {
      asked += 1;
      return isFull ? new StorageUnavailable('the disk is full') : undefined;
    },
  });
  const first = nextOf(batches(items(3)));
  expect(first).toThrow(StorageUnavailable);
  expect(first).toThrow(StorageUnavailable);
  expect(asked).toBe(2);
  isFull = false;
  first();
  expect(takenIn).toEqual(['item0']);
});
