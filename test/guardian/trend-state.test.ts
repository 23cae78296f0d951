import { expect, test } from 'vitest';
import {
  isConfirmed,
  newTrendState,
  nextTrendState,
  type Sighting,
  type TrendState,
  thresholdOf,
} from '../../src/guardian/trend-state.ts';

const HOUR_MS = 3_600_000;
const sighting = (z: number, part: Partial<Sighting> = {}): Sighting => ({
  atMs: 0,
  lengthMs: HOUR_MS,
  z,
  hasLeastEffect: true,
  ...part,
});

/** States after z-scores of windows of an hour, one after the other. */
function statesAfter(zScores: readonly number[], from: TrendState = newTrendState): TrendState[] {
  let state = from;
  const start = Math.max(0, from.lastWholeMs);
  return zScores.map((z, index) => {
    state = nextTrendState(state, sighting(z, { atMs: start + (index + 1) * HOUR_MS }));
    return state;
  });
}
const isOpen = (states: readonly TrendState[]) => states.map(({ open }) => open !== null);
const quiet = (hours: number) => new Array<number>(hours).fill(0);

test('the threshold is 3.5 until a hundred windows are known, and then follows the metric itself', () => {
  const restless = Array.from({ length: 100 }, (_, index) => (index % 10 === 0 ? -4 : 0.5));
  expect([
    thresholdOf(quiet(99)),
    thresholdOf(quiet(500)),
    thresholdOf(restless.slice(1)),
    thresholdOf(restless),
  ]).toEqual([3.5, 3.5, 3.5, 7]);
});

test('one window at the threshold opens a trend, one below it does not', () => {
  expect([statesAfter([0, 3.5]), statesAfter([0, 3.49])].map((states) => states.at(-1)?.open)).toEqual([
    { direction: 'up', by: 'spike', openedAtMs: 2 * HOUR_MS, calmWindows: 0 },
    null,
  ]);
});

test('a change too small to tell opens nothing, however unusual', () => {
  expect(nextTrendState(newTrendState, sighting(8, { hasLeastEffect: false })).open).toBeNull();
});

test('a small lasting shift opens a trend that no single window would', () => {
  const states = statesAfter(new Array<number>(12).fill(-1.8));
  expect(states.findIndex(({ open }) => open !== null)).toBe(5);
  expect(states.at(-1)?.open).toMatchObject({ direction: 'down', by: 'shift' });
});

test('a trend closes after three calm windows on end', () => {
  expect(isOpen(statesAfter([5, 0, 0, 2, 0, 0, 0, 0]))).toEqual([true, true, true, true, true, true, true, false]);
});

test('a trend stays open while its shift has not died down', () => {
  const states = statesAfter([...new Array<number>(8).fill(4), ...quiet(12)]);
  expect(isOpen(states).lastIndexOf(true)).toBe(7 + 8);
});

test('in the 24 hours after closing the same direction does not open again, the other may', () => {
  const closed = statesAfter([5, 0, 0, 0, 0, 0]).at(-1);
  if (closed === undefined) throw new Error('expected a state');
  expect(closed.open).toBeNull();
  expect(isOpen(statesAfter([5], closed))).toEqual([false]);
  expect(isOpen(statesAfter([-5], closed))).toEqual([true]);
  expect(isOpen(statesAfter([...quiet(23), 5], closed)).at(-1)).toBe(true);
});

test('a departure the other way closes the trend and opens its own', () => {
  const [, turned] = statesAfter([5, -5]);
  expect(turned?.open).toMatchObject({ direction: 'down', openedAtMs: 2 * HOUR_MS });
});

test('a window measured between whole ones opens at once but is not remembered', () => {
  const [whole] = statesAfter([0]);
  if (whole === undefined) throw new Error('expected a state');
  const between = nextTrendState(whole, sighting(5, { atMs: 1.5 * HOUR_MS }));
  expect([between.open?.openedAtMs, between.zScores]).toEqual([1.5 * HOUR_MS, [0]]);
});

test('a departure is confirmed by a second of three windows, or at once when far out', () => {
  const confirmedAt = (zScores: readonly number[]) =>
    statesAfter(zScores).map((state, index) => isConfirmed(state, sighting(zScores[index] ?? 0)));
  expect([confirmedAt([4, 0, 4]), confirmedAt([4, 0, 0, 4]), confirmedAt([0, 6])]).toEqual([
    [false, false, true],
    [false, false, false, false],
    [false, true],
  ]);
});

test('five hundred windows are remembered', () => {
  expect(statesAfter(quiet(520)).at(-1)?.zScores.length).toBe(500);
});
