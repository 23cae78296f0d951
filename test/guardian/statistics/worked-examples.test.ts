import { expect, test } from 'vitest';
import { countZ } from '../../../src/guardian/statistics/count-deviation.ts';
import { withWindow } from '../../../src/guardian/statistics/dispersion.ts';
import { isSlowerThanItsKinds } from '../../../src/guardian/statistics/kind-mix.ts';
import { pairwiseScale } from '../../../src/guardian/statistics/pairwise-scale.ts';
import { type Share, zOfRatio } from '../../../src/guardian/statistics/ratio-deviation.ts';
import { zOfDuration, zOfValue } from '../../../src/guardian/statistics/robust-deviation.ts';

/**
 * One example of each formula with a fixed history, to six digits. A constant of a formula that changes makes its example fail. The
 * figures were taken from the formulas; other tests of this folder compare the formulas with simulations and with published values.
 */
const VALUES = [3, 1, 4, 1.5, 9, 2.6, 5.3, 5.8, 9.7, 9.3, 2.3, 8.4];
const digits = (values: readonly number[]) => values.map((value) => Number(value.toFixed(6)));
const shares = (list: readonly [number, number][]): Share[] => list.map(([hits, total]) => ({ hits, total }));

test('the scale of two to eleven values', () => {
  const scales = Array.from({ length: 10 }, (_, index) => pairwiseScale(VALUES.slice(0, index + 2)));
  expect(digits(scales)).toEqual([
    1.773076, 2.208569, 1.706419, 2.812925, 2.036371, 2.665836, 2.675612, 3.099995, 3.703167, 2.95656,
  ]);
});

test('z-scores of counts after a restless history, and after one heap in 28 windows', () => {
  const z = (count: number, history: readonly number[]) =>
    countZ(
      { count, exposure: 1 },
      history.map((each) => ({ count: each, exposure: 1 })),
    );
  const heap = [0, 0, 0, 40, ...new Array<number>(24).fill(0)];
  expect(digits([0, 5, 20, 60, 150].map((count) => z(count, [5, 0, 12, 3, 30, 0, 7, 1, 18, 2, 4, 9])))).toEqual([
    -1.089159, 0.242752, 1.252285, 2.376106, 3.448293,
  ]);
  expect(digits([1, 5, 20, 60, 150].map((count) => z(count, heap)))).toEqual([
    0.835542, 1.382394, 2.181749, 3.294005, 4.833965,
  ]);
});

test('z-scores of ratios after a restless history, and after one window unlike the others', () => {
  const restless = shares([
    [9, 10],
    [3, 10],
    [10, 10],
    [1, 12],
    [8, 9],
    [10, 30],
    [7, 8],
    [2, 10],
  ]);
  const odd = shares([0, 0, 30, 0, 0, 1, 0, 0].map((hits) => [hits, 50]));
  expect(digits([0, 3, 8, 10].map((hits) => zOfRatio(restless)({ hits, total: 10 })))).toEqual([
    -1.319822, -0.32584, 0.480841, 1.299311,
  ]);
  expect(digits([1, 5, 20, 40, 50].map((hits) => zOfRatio(odd)({ hits, total: 50 })))).toEqual([
    0.671631, 0.90483, 1.206098, 1.504116, 2.151361,
  ]);
});

test('z-scores of values and of durations', () => {
  expect(digits([5, 9, 20].map((value) => zOfValue(VALUES, 0.1)(value)))).toEqual([0.104904, 1.237479, 3.165984]);
  const durations = VALUES.map((value) => 100 * value);
  expect(digits([100, 900, 2_000].map((ms) => zOfDuration(durations)(ms)))).toEqual([-1.480081, 0.691852, 1.435763]);
});

test('a dispersion after one more window of an hour, a day and a week', () => {
  const after = [1, 24, 168].map((hours) =>
    withWindow({ squares: 100, expected: 50 }, { squares: 1, expected: 2 }, hours * 3_600_000),
  );
  expect(digits(after.flatMap(({ squares, expected }) => [squares, expected]))).toEqual([
    100.851301, 51.925651, 97.491594, 50.245797, 97.491594, 50.245797,
  ]);
});

test('a kind of action is known from ten earlier ones on', () => {
  const ran = (count: number, durationMs: number) =>
    Array.from({ length: count }, () => ({ actionType: 'OpenApp', durationMs }));
  expect([9, 10].map((before) => isSlowerThanItsKinds(ran(20, 200), ran(before, 100)))).toEqual([false, true]);
});
