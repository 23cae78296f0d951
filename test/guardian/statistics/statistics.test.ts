import { expect, test } from 'vitest';
import {
  median,
  medianAbsoluteDeviation,
  quantile,
  robustScale,
  sampleVariance,
} from '../../../src/guardian/statistics/statistics.ts';

test('the median is the middle value, or halfway between the two in the middle', () => {
  expect([median([9, 1, 4]), median([9, 1, 4, 2])]).toEqual([4, 3]);
});

test('a quantile lies on the line between its neighbours in order', () => {
  const values = [50, 10, 30, 20, 40];
  expect([0, 0.25, 0.9, 1].map((share) => quantile(values, share))).toEqual([10, 20, 46, 50]);
});

test('no values have no median', () => {
  expect(median([])).toBeNaN();
});

test('the sample variance divides by one less than the number of values', () => {
  expect([sampleVariance([2, 4, 4, 4, 5, 5, 7, 9]), sampleVariance([3])]).toEqual([32 / 7, 0]);
});

test('the median absolute deviation ignores how far the farthest value is', () => {
  expect([medianAbsoluteDeviation([1, 1, 2, 2, 4, 6, 9]), medianAbsoluteDeviation([1, 1, 2, 2, 4, 6, 9e9])]).toEqual([
    1, 1,
  ]);
});

test('the robust scale is 1.4826 median absolute deviations', () => {
  expect(robustScale([1, 1, 2, 2, 4, 6, 9])).toBeCloseTo(1.4826, 10);
});

test('where most values agree the robust scale follows the mean distance instead', () => {
  expect(robustScale([5, 5, 5, 5, 5, 5, 5, 13])).toBeCloseTo(1.2533, 10);
});

test('values that all agree have no scale', () => {
  expect(robustScale([5, 5, 5])).toBe(0);
});
