import { expect, test } from 'vitest';
import { durationZ, entropyZ, gaugeZ, robustZ } from '../../src/guardian/robust-deviation.ts';

test('a value is as many deviations away as 1.4826 median distances fit between', () => {
  expect(robustZ(8, [1, 1, 2, 2, 4, 6, 9], 0.1)).toBeCloseTo(6 / 1.4826, 10);
});

test('a duration counts by its ratio to the median, ten percent being the least deviation', () => {
  const history = new Array<number>(8).fill(999);
  expect(durationZ(1099, history)).toBeCloseTo(1, 10);
  expect(durationZ(1000 / 1.1 ** 3 - 1, history)).toBeCloseTo(-3, 10);
});

test('an entropy that never moved has a deviation of 0.15 bit', () => {
  expect(entropyZ(2.3, new Array<number>(8).fill(2))).toBeCloseTo(2, 10);
});

test('a gauge that never moved needs five points to reach 3.5', () => {
  expect(gaugeZ(0.94, new Array<number>(8).fill(0.99))).toBeCloseTo(-3.5, 10);
});

test('no deviation goes beyond eight', () => {
  expect([robustZ(1e9, [0, 0, 0], 0.1), robustZ(-1e9, [0, 0, 0], 0.1)]).toEqual([8, -8]);
});
