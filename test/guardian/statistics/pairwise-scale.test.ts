import { expect, test } from 'vitest';
import { pairwiseScale } from '../../../src/guardian/statistics/pairwise-scale.ts';
import { normalQuantile } from './normal-quantile.ts';

test('the scale is 2.2219 times the distance below which a quarter of all pairs lie, with a factor for few values', () => {
  // The ten distances are 1, 1, 2, 3, 3, 4, 4, 5, 6, 7. The third counts, times d₅ = 0.844.
  expect(pairwiseScale([0, 1, 3, 4, 7])).toBeCloseTo(2.2219 * 0.844 * 2, 10);
});

test.each([8, 9, 14, 28, 101])('%d evenly spread normal values have about their standard deviation', (n) => {
  const values = Array.from({ length: n }, (_, index) => 3 * normalQuantile((index + 0.5) / n));
  expect(pairwiseScale(values) / 3).toBeGreaterThan(0.85);
  expect(pairwiseScale(values) / 3).toBeLessThan(1.25);
});

test('values most of which agree have none, and fewer than two say nothing', () => {
  expect([pairwiseScale([5, 5, 5, 5, 5, 9]), pairwiseScale([5])]).toEqual([0, Number.NaN]);
});
