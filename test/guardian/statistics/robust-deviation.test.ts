import { expect, test } from 'vitest';
import { pairwiseScale } from '../../../src/guardian/statistics/pairwise-scale.ts';
import { entropyZ, gaugeZ, zOfDuration, zOfValue } from '../../../src/guardian/statistics/robust-deviation.ts';
import { normalQuantile } from './normal-quantile.ts';

test('a value is as unusual as Student makes its distance, with fewer degrees of freedom the shorter the history is', () => {
  const of = (n: number) => Array.from({ length: n }, (_, index) => normalQuantile((index + 0.5) / n));
  const z = [8, 14, 28, 28 * 8].map((n) => zOfValue(of(n), 0.001)(5 * pairwiseScale(of(n))).toFixed(2));
  expect(z).toEqual(['2.68', '3.31', '3.93', '4.81']);
});

test('outliers in a history hardly widen what is usual', () => {
  const clean = Array.from({ length: 28 }, (_, index) => normalQuantile((index + 0.5) / 28));
  const dirty = clean.with(3, 40).with(20, 40);
  expect(zOfValue(clean, 0.001)(6)).toBeGreaterThan(4.2);
  expect(zOfValue(dirty, 0.001)(6)).toBeGreaterThan(3.7);
});

test('a duration counts by its ratio to the median, ten percent being the least deviation', () => {
  const history = new Array<number>(8).fill(999);
  expect(zOfDuration(history)(1099)).toBeCloseTo(1, 10);
  expect(zOfDuration(history)(1000 / 1.1 ** 3 - 1)).toBeCloseTo(-3, 10);
});

test('an entropy that never moved has a deviation of 0.15 bit', () => {
  expect(entropyZ(2.3, new Array<number>(8).fill(2))).toBeCloseTo(2, 10);
});

test('a gauge that never moved needs five points to reach 3.5', () => {
  expect(gaugeZ(0.94, new Array<number>(8).fill(0.99))).toBeCloseTo(-3.5, 10);
});

test('no deviation goes beyond eight', () => {
  expect([zOfValue([0, 0, 0], 0.1)(1e9), zOfValue([0, 0, 0], 0.1)(-1e9)]).toEqual([8, -8]);
});
