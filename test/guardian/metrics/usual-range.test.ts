import { expect, it } from 'vitest';
import { usualRange } from '../../../src/guardian/metrics/usual.ts';

it('is from the 10th to the 90th percentile of the earlier values', () => {
  expect(usualRange([0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100])).toEqual({ low: 10, high: 90 });
});

it('needs eight values: with seven nothing can be said', () => {
  expect(usualRange(Array.from({ length: 8 }, () => 3))).toEqual({ low: 3, high: 3 });
  expect(usualRange(Array.from({ length: 7 }, () => 3))).toBeNull();
});
