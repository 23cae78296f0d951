import { expect, test } from 'vitest';
import { mannKendallP, theilSenSlope } from '../../../src/guardian/statistics/monotone-trend.ts';
import { normalCdf } from '../../../src/guardian/statistics/normal.ts';

test('eight rising values score 28 pairs against a variance of 1176/18', () => {
  expect(mannKendallP([1, 2, 3, 4, 5, 6, 7, 8])).toBeCloseTo(2 * normalCdf(-27 / Math.sqrt(1176 / 18)), 12);
});

test('a fall is as significant as the same rise', () => {
  expect(mannKendallP([8, 7, 6, 5, 4, 3, 2, 1])).toBe(mannKendallP([1, 2, 3, 4, 5, 6, 7, 8]));
});

test('ties take their part out of the variance', () => {
  const variance = (5 * 4 * 15 - 2 * 1 * 9 - 2 * 1 * 9) / 18;
  expect(mannKendallP([1, 1, 2, 2, 3])).toBeCloseTo(2 * normalCdf(-7 / Math.sqrt(variance)), 12);
});

test('values that go up and down, or stand still, are no trend', () => {
  expect([mannKendallP([1, 3, 1, 3, 1, 3, 1, 3]) > 0.3, mannKendallP([5, 5, 5, 5])]).toEqual([true, 1]);
});

test('the slope is the median over all pairs and shrugs off one wild value', () => {
  expect([theilSenSlope([10, 12, 14, 16]), theilSenSlope([10, 12, 900, 16, 18])]).toEqual([2, 2]);
});
