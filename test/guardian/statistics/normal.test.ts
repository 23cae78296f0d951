import { expect, test } from 'vitest';
import { normalCdf, zOfTails } from '../../../src/guardian/statistics/normal.ts';
import { normalQuantile } from './normal-quantile.ts';

const density = (x: number) => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);

/** Simpson's rule, far finer than the digits compared. */
function areaUnderDensity(from: number, to: number): number {
  const steps = 20_000;
  const width = (to - from) / steps;
  let sum = density(from) + density(to);
  for (let step = 1; step < steps; step += 1) sum += density(from + step * width) * (step % 2 === 0 ? 2 : 4);
  return (sum * width) / 3;
}

test.each([-4, -3, -2.99, -1, 0, 0.5, 2.5, 3, 3.01, 6])(
  'the probability below %d is the area under the density',
  (x) => {
    expect(normalCdf(x)).toBeCloseTo(areaUnderDensity(-12, x), 12);
  },
);

test('far tails keep their digits', () => {
  expect(normalCdf(-8) / areaUnderDensity(8, 14)).toBeCloseTo(1, 9);
});

test.each([1e-12, 1e-5, 0.01, 0.3, 0.5, 0.9, 0.9999])(
  'the quantile of %d has that probability below it',
  (probability) => {
    expect(normalCdf(normalQuantile(probability)) / probability).toBeCloseTo(1, 10);
  },
);

test('the two-sided 95 % point is 1.959964', () => {
  expect(normalQuantile(0.975)).toBeCloseTo(1.959963984540054, 12);
});

test('two tails give a z-score with the sign of the rarer one', () => {
  expect([
    zOfTails({ below: 0.975, above: 0.025 }).toFixed(6),
    zOfTails({ below: 0.025, above: 0.975 }).toFixed(6),
  ]).toEqual(['1.959964', '-1.959964']);
  expect(zOfTails({ below: 0.5, above: 0.5 })).toBeCloseTo(0, 12);
});

test('a z-score never leaves plus or minus eight', () => {
  expect([zOfTails({ below: 1, above: 0 }), zOfTails({ below: 1e-300, above: 1 })]).toEqual([8, -8]);
});
