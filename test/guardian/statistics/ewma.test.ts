import { expect, test } from 'vitest';
import { shiftOf } from '../../../src/guardian/statistics/ewma.ts';

const scale = Math.sqrt(0.25 / 1.75);

test('one score counts a quarter, in units of the long-run deviation', () => {
  expect(shiftOf([2])).toBeCloseTo(0.5 / scale, 12);
});

test('older scores count three quarters of the next one', () => {
  expect(shiftOf([4, 0, 2])).toBeCloseTo((0.75 ** 2 * 1 + 0.5) / scale, 12);
});

test('a lasting shift of 1.5 deviations passes 3.7 only after many windows, one spike never', () => {
  expect(shiftOf(new Array<number>(11).fill(1.5))).toBeGreaterThan(3.7);
  expect(shiftOf([0, 0, 0, 8])).toBeLessThan(3.7);
});
