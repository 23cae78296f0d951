import { expect, test } from 'vitest';
import { countZ as countZOf } from '../../../src/guardian/statistics/count-deviation.ts';
import type { Dispersion } from '../../../src/guardian/statistics/dispersion.ts';
import { mean, sampleVariance } from '../../../src/guardian/statistics/statistics.ts';
import { normalQuantile } from './normal-quantile.ts';

/** The z-score of a count where the daemon was up for an hour in every window. */
function countZ(count: number, history: readonly number[], known?: Dispersion): number {
  const counted = history.map((each) => ({ count: each, exposure: 1 }));
  return countZOf({ count, exposure: 1 }, counted, known);
}

const zeros = (windows: number) => new Array<number>(windows).fill(0);

/** Poisson probability averaged over the Jeffreys posterior Gamma(½, n) of a rate after n zeros, as a product. */
function probabilityAfterZeros(count: number, windows: number): number {
  let probability = Math.sqrt(windows / (windows + 1));
  for (let k = 0; k < count; k += 1) probability *= (k + 0.5) / (k + 1) / (windows + 1);
  return probability;
}

function midUpperTail(count: number, probability: (count: number) => number): number {
  let tail = probability(count) / 2;
  for (let k = count + 1; k < count + 300; k += 1) tail += probability(k);
  return tail;
}

test('after 28 windows of zeros one event is about 2.4 and three events about 4.35', () => {
  expect([1, 3].map((count) => countZ(count, zeros(28)).toFixed(2))).toEqual(['2.37', '4.35']);
});

test.each([8, 14, 28])('after %d windows of zeros the score is that of the exact predictive probability', (windows) => {
  for (const count of [1, 2, 3, 5]) {
    const tail = midUpperTail(count, (k) => probabilityAfterZeros(k, windows));
    expect(countZ(count, zeros(windows))).toBeCloseTo(-normalQuantile(tail), 8);
  }
});

test('one more zero after zeros is no surprise', () => {
  expect(countZ(0, zeros(28))).toBeCloseTo(-0.02, 2);
});

test('counts that vary more than chance are less surprising than their own sample variance makes them, as it is an estimate', () => {
  const history = [2, 9, 4, 15, 1, 11, 6, 20, 3, 9];
  const deviations = (count: number) => (count - mean(history)) / Math.sqrt(sampleVariance(history));
  expect(countZ(60, history)).toBeLessThan(0.6 * deviations(60));
  expect(countZ(20, history)).toBeLessThan(deviations(20));
  expect(countZ(20, history)).toBeGreaterThan(1);
});

test('a dispersion known from weeks widens what a short history shows', () => {
  const history = zeros(28);
  const known = { squares: 90, expected: 10 };
  expect([countZ(3, history) > 4.3, countZ(3, history, known) < 2.5]).toEqual([true, true]);
});

test('counts are expected in proportion to the time the daemon was up', () => {
  const history = [38, 42, 40, 39, 41, 43, 37, 40].map((count) => ({ count, exposure: 10 }));
  const z = (count: number, exposure: number) => countZOf({ count, exposure }, history);
  expect([z(20, 5), z(40, 10), z(80, 20)].map((each) => Math.abs(each) < 0.2)).toEqual([true, true, true]);
  expect([z(40, 5) > 2, z(40, 20) < -2]).toEqual([true, true]);
});

test('far fewer events than usual score below zero', () => {
  const history = [48, 52, 50, 47, 53, 51, 49, 50];
  expect([countZ(50, history), countZ(30, history), countZ(0, history)].map((z) => Math.round(z))).toEqual([0, -3, -5]);
});

test('counts in the millions score as the normal approximation does', () => {
  const history = Array.from({ length: 28 }, (_, index) => 1_000_000 + (index % 2 === 0 ? 50_000 : -50_000));
  const expected = 150_000 / Math.sqrt(sampleVariance(history));
  expect(countZ(1_150_000, history)).toBeCloseTo(expected, 0);
});
