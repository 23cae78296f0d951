import { expect, test } from 'vitest';
import { createSlices } from '../../../src/services/work/slices.ts';
import { StorageUnavailable } from '../../../src/store/database/database.ts';
import { createFakeClock } from '../fake-clock.ts';

/** Slices over a clock that every piece moves on by itself. */
function rig(pieceMs: number) {
  const clock = createFakeClock();
  const seen: string[] = [];
  let spentMs = 0;
  const timed = { ...clock, monotonicMs: () => clock.monotonicMs() + spentMs };
  const slices = createSlices(
    { clock: timed },
    { done: () => void seen.push('done'), failed: (error) => void seen.push(`failed: ${String(error)}`) },
  );
  const piece = (name: string, failure?: () => Error | undefined) => () => {
    spentMs += pieceMs;
    const error = failure?.();
    if (error !== undefined) throw error;
    seen.push(name);
  };
  return { clock, slices, seen, piece };
}

test('a slice ends with the piece in which five milliseconds are over, and the next comes in another turn', () => {
  const { clock, slices, seen, piece } = rig(3);
  slices.start(['a', 'b', 'c'].map((name) => piece(name)));
  expect(seen).toEqual(['a', 'b']);
  expect(slices.isBusy()).toBe(true);
  clock.advance(0);
  expect(seen).toEqual(['a', 'b', 'c', 'done']);
  expect(slices.isBusy()).toBe(false);
});

test('work of 4 ms is done within the call', () => {
  const { slices, seen, piece } = rig(1);
  slices.start(['a', 'b', 'c', 'd'].map((name) => piece(name)));
  expect(seen).toEqual(['a', 'b', 'c', 'd', 'done']);
});

test('a piece that the storage refuses is done again a second later, before all others', () => {
  const { clock, slices, seen, piece } = rig(0);
  let isFull = true;
  const refused = () => (isFull ? new StorageUnavailable('the disk is full') : undefined);
  expect(() => slices.start([piece('a', refused), piece('b')])).toThrow(StorageUnavailable);
  clock.advance(999);
  expect(seen).toEqual([]);
  isFull = false;
  clock.advance(1);
  expect(seen).toEqual(['a', 'b', 'done']);
});

test('a piece that fails for another reason does not hold up the others, and is tried until it works', () => {
  const { clock, slices, seen, piece } = rig(0);
  let isBroken = true;
  const broken = () => (isBroken ? new Error('broken') : undefined);
  expect(() => slices.start([piece('a', broken), piece('b')])).toThrow('broken');
  expect(seen).toEqual(['b']);
  clock.advance(1_000);
  expect(seen).toEqual(['b', 'failed: Error: broken']);
  isBroken = false;
  clock.advance(1_000);
  expect(seen).toEqual(['b', 'failed: Error: broken', 'a', 'done']);
});

test('work that is added comes after what is left', () => {
  const { clock, slices, seen, piece } = rig(10);
  slices.start([piece('a'), piece('b')]);
  slices.start([piece('c')]);
  clock.advance(0);
  expect(seen).toEqual(['a', 'b', 'c', 'done']);
});
