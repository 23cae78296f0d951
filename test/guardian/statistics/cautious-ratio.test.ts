import { expect, test } from 'vitest';
import { cautiousRatio, regularizedBeta } from '../../../src/guardian/statistics/distributions.ts';

test('the share behind a ratio is beyond its cautious value with a probability of 95 %', () => {
  for (const [hits, total] of [
    [3, 5],
    [0, 5],
    [97, 100],
  ] as const) {
    const shape = { a: hits + 0.5, b: total - hits + 0.5 };
    expect(regularizedBeta(cautiousRatio({ hits, total }, { isHighBad: false }), shape)).toBeCloseTo(0.95, 6);
    expect(regularizedBeta(cautiousRatio({ hits, total }, { isHighBad: true }), shape)).toBeCloseTo(0.05, 6);
  }
});

test('few samples say little, many say much', () => {
  const failing = (hits: number, total: number) => cautiousRatio({ hits, total }, { isHighBad: false });
  expect([failing(3, 5), failing(300, 500)].map((ratio) => Math.round(100 * ratio))).toEqual([87, 64]);
});
