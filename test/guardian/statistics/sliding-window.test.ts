import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSlidingWindow } from '../../../src/guardian/statistics/sliding-window.ts';
import { median, quantile, robustScale } from '../../../src/guardian/statistics/statistics.ts';

test('a sliding window has the statistics of the values last added', () => {
  const values = fc.array(fc.oneof(fc.integer({ min: 0, max: 3 }), fc.double({ min: -9, max: 9, noNaN: true })), {
    minLength: 1,
    maxLength: 30,
  });
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 9 }), (added, capacity) => {
      const window = createSlidingWindow(capacity);
      for (const value of added) window.add(value);
      const kept = added.slice(-capacity);
      expect(window.size()).toBe(kept.length);
      expect(window.median()).toBeCloseTo(median(kept), 12);
      expect(window.quantile(0.9)).toBeCloseTo(quantile(kept, 0.9), 12);
      expect(window.scale()).toBeCloseTo(robustScale(kept), 12);
    }),
  );
});

test('an empty window has no median', () => {
  expect(createSlidingWindow(5).median()).toBeNaN();
});
