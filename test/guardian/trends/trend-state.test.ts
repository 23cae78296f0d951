import { expect, test } from 'vitest';
import { NO_DISPERSION } from '../../../src/guardian/statistics/dispersion.ts';
import {
  dispersionFor,
  isConfirmed,
  newTrendState,
  nextTrendState,
  type Sighting,
  shiftLimitOf,
  type TrendState,
  thresholdOf,
  unseenTrendState,
} from '../../../src/guardian/trends/trend-state.ts';
import type { Deviations, UsualDays } from '../../../src/guardian/trends/usual-days.ts';

const HOUR_MS = 3_600_000;
const sighting = (z: number, part: Partial<Sighting> = {}): Sighting => ({
  atMs: 0,
  lengthMs: HOUR_MS,
  z,
  hasLeastEffect: true,
  standsAlone: true,
  dispersion: { squares: 0, expected: 0 },
  ...part,
});

/** Fourteen days in which nothing happened that was worth telling: enough to know what is usual. */
const days: UsualDays = {
  fromMs: -8 * 24 * HOUR_MS,
  today: { z: 0, shift: 0 },
  earlier: new Array<Deviations>(14).fill({ z: 0, shift: 0 }),
};
const settled: TrendState = { ...newTrendState, days };

/** States after z-scores of windows of an hour, one after the other. */
function statesAfter(zScores: readonly number[], from: TrendState = settled): TrendState[] {
  let state = from;
  const start = Math.max(0, from.lastWholeMs ?? 0);
  return zScores.map((z, index) => {
    state = nextTrendState(state, sighting(z, { atMs: start + (index + 1) * HOUR_MS }));
    return state;
  });
}
const isOpen = (states: readonly TrendState[]) => states.map(({ open }) => open !== null);
const owning = (z: readonly number[], shift = z) => ({ own: { z, shift } });
const quiet = (hours: number) => new Array<number>(hours).fill(0);

test('the threshold is 3.5 until a hundred windows are known, and then follows the metric itself', () => {
  const restless = Array.from({ length: 100 }, (_, index) => (index % 10 === 0 ? 4 : 0.5));
  expect([
    thresholdOf(owning(quiet(99))),
    thresholdOf(owning(quiet(500))),
    thresholdOf(owning(restless.slice(1))),
    thresholdOf(owning(restless)),
  ]).toEqual([3.5, 3.5, 3.5, 7]);
});

test('one window at the threshold opens a trend, one below it does not', () => {
  expect([statesAfter([0, 3.5]), statesAfter([0, 3.49])].map((states) => states.at(-1)?.open)).toEqual([
    {
      direction: 'up',
      by: 'spike',
      openedAtMs: 2 * HOUR_MS,
      calmWindows: 0,
      isConfirmed: false,
      dispersion: NO_DISPERSION,
    },
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

test('a trend closes after three windows to its other side, however far out', () => {
  expect(isOpen(statesAfter([5, -3, -3, -3]))).toEqual([true, true, true, false]);
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

test('until a trend is confirmed, windows are judged by the dispersion from before it', () => {
  const dispersion = { squares: 900, expected: 10 };
  const opened = nextTrendState(settled, sighting(5, { atMs: HOUR_MS, dispersion }));
  const judgedBy = (minutes: number) => dispersionFor(opened, { atMs: HOUR_MS + minutes * 60_000, lengthMs: HOUR_MS });
  expect([judgedBy(0), judgedBy(179), judgedBy(180)]).toEqual([NO_DISPERSION, NO_DISPERSION, dispersion]);
});

test('a window that overlaps the one which opened a confirmed trend is judged by the dispersion from before it', () => {
  const dispersion = { squares: 900, expected: 10 };
  const opened = nextTrendState(settled, sighting(7, { atMs: HOUR_MS, dispersion }));
  const later = { ...opened, dispersion };
  const judgedBy = (minutes: number) => dispersionFor(later, { atMs: HOUR_MS + minutes * 60_000, lengthMs: HOUR_MS });
  expect([judgedBy(0), judgedBy(59), judgedBy(60)]).toEqual([NO_DISPERSION, NO_DISPERSION, dispersion]);
});

test('a window measured between whole ones opens at once but is not remembered', () => {
  const [whole] = statesAfter([0]);
  if (whole === undefined) throw new Error('expected a state');
  const between = nextTrendState(whole, sighting(5, { atMs: 1.5 * HOUR_MS }));
  expect([between.open?.openedAtMs, between.zScores]).toEqual([1.5 * HOUR_MS, [0]]);
});

const confirmedAt = (zScores: readonly number[], part: Partial<Sighting> = {}, from = settled) =>
  statesAfter(zScores, from).map((state, index) => isConfirmed(state, sighting(zScores[index] ?? 0, part)));

test('a departure is confirmed by a second of three windows, or at once when far out', () => {
  expect([confirmedAt([4, 0, 4]), confirmedAt([4, 0, 0, 4]), confirmedAt([0, 6.9]), confirmedAt([0, 7])]).toEqual([
    [false, false, true],
    [false, false, false, false],
    [false, false],
    [false, true],
  ]);
});

test('windows on both sides of a gap do not confirm each other', () => {
  const [before] = statesAfter([4]);
  if (before === undefined) throw new Error('expected a state');
  const after = nextTrendState(before, sighting(4, { atMs: 9 * HOUR_MS }));
  expect([after.unusualAtMs, isConfirmed(after, sighting(4))]).toEqual([[9 * HOUR_MS], false]);
});

test('a deviation that is no probability, however far out, needs a second window', () => {
  expect(confirmedAt([0, 8], { standsAlone: false })).toEqual([false, false]);
});

test('nothing is confirmed before fourteen days are known', () => {
  expect(confirmedAt([8, 8, 8], {}, newTrendState)).toEqual([false, false, false]);
});

test('what went as far on other days of the month opens nothing', () => {
  const busy = { ...days, earlier: new Array<Deviations>(14).fill({ z: 5, shift: 0 }) };
  const opens = (z: number) => statesAfter([z], { ...newTrendState, days: busy }).at(-1)?.open !== null;
  expect([opens(6.4), opens(6.6)]).toEqual([false, true]);
});

test('a shift is judged by how far the mean wanders by itself', () => {
  const wandering = { ...settled, ...owning(quiet(140), new Array<number>(140).fill(3)) };
  expect([shiftLimitOf(settled), shiftLimitOf(wandering)]).toEqual([3.7, 5.25]);
  expect(isOpen(statesAfter(new Array<number>(20).fill(2.1), wandering)).includes(true)).toBe(true);
  expect(isOpen(statesAfter(new Array<number>(20).fill(1.8), wandering)).includes(true)).toBe(false);
});

test('windows that departed are no measure of what is usual', () => {
  const states = statesAfter([...quiet(3), ...new Array<number>(5).fill(7), 1]);
  expect(states.map(({ own }) => own.z.length)).toEqual([1, 2, 3, 3, 3, 3, 3, 3, 3]);
});

test('the first day of a confirmed trend does not count among the days', () => {
  const [, , ...open] = statesAfter([0, 7, ...new Array<number>(30).fill(7.5)]);
  const largest = open.map(({ days: noted }) => noted?.today.z ?? 0);
  expect([largest[0], largest[21], largest.at(-1)]).toEqual([7, 7, 7.5]);
});

test('a shift is believed once it outlasts the memory of its mean, and not by calm windows', () => {
  const lasting = statesAfter(new Array<number>(13).fill(2));
  const ending = statesAfter([...new Array<number>(12).fill(2), 1.7]);
  const witnesses = (states: readonly TrendState[]) => states.map(({ unusualAtMs }) => unusualAtMs.length);
  expect(lasting.findIndex(({ open }) => open !== null)).toBe(4);
  expect([witnesses(lasting).slice(9), witnesses(ending).slice(9)]).toEqual([
    [0, 0, 1, 2],
    [0, 0, 1, 1],
  ]);
});

test('a trend that nobody has seen for three windows, and a day, is over', () => {
  const open = statesAfter([5]).at(-1);
  if (open === undefined) throw new Error('expected a state');
  const after = (hours: number) =>
    unseenTrendState(open, { atMs: (1 + hours) * HOUR_MS, lengthMs: HOUR_MS }).open !== null;
  expect([after(23), after(24)]).toEqual([true, false]);
});

test('a clock that was set back does not stop the history', () => {
  const later = statesAfter([0, 0]).at(-1);
  if (later === undefined) throw new Error('expected a state');
  expect(nextTrendState(later, sighting(1, { atMs: HOUR_MS })).zScores).toEqual([0, 0, 1]);
});

test('five hundred windows are remembered, and all of it survives being stored as JSON', () => {
  const state = statesAfter(quiet(520)).at(-1);
  expect([state?.own.z.length, state?.own.shift.length]).toEqual([500, 500]);
  expect(JSON.parse(JSON.stringify(state))).toEqual(state);
});

test('a trend the other way does not end the day in which the first direction may not open again', () => {
  const closed = statesAfter([5, 0, 0, 0, 0, 0, -5, 0, 0, 0, 0, 0]).at(-1);
  if (closed === undefined) throw new Error('expected a state');
  expect(closed.open).toBeNull();
  expect(isOpen(statesAfter([5], closed))).toEqual([false]);
});
