import { expect, test } from 'vitest';
import { median, quantile, sampleVariance } from '../../../src/guardian/statistics/statistics.ts';

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
