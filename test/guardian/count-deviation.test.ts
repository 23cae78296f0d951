import { expect, test } from 'vitest';
import { countZ } from '../../src/guardian/count-deviation.ts';
import { normalQuantile } from '../../src/guardian/normal.ts';
import { sampleVariance } from '../../src/guardian/statistics.ts';

const zeros = (windows: number) => new Array<number>(windows).fill(0);

/** Poisson probability averaged over the Jeffreys posterior Gamma(½, n) of a rate after n zeros, as a product. */
function probabilityAfterZeros(count: number, windows: number): number {
  let probability = Math.sqrt(windows / (windows + 1));
  for (let k = 0; k < count; k += 1) probability *= (k + 0.5) / (k + 1) / (windows + 1);
  return probability;
}

/** Negative-binomial probability of a whole size, from its definition. */
function probabilityByDefinition(count: number, size: number, mean: number): number {
  let probability = (size / (size + mean)) ** size;
  for (let k = 0; k < count; k += 1) probability *= ((k + size) / (k + 1)) * (mean / (size + mean));
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

test('counts that vary more than chance have the sample variance', () => {
  const history = [2, 9, 4, 15, 1, 11, 6, 20, 3, 9];
  const mean = 80.5 / 10;
  const size = mean ** 2 / (sampleVariance(history) - mean);
  const tail = midUpperTail(25, (k) => probabilityByDefinition(k, size, mean));
  expect(countZ(25, history)).toBeCloseTo(-normalQuantile(tail), 8);
});

test('far fewer events than usual score below zero', () => {
  const history = [48, 52, 50, 47, 53, 51, 49, 50];
  expect([countZ(50, history), countZ(30, history), countZ(0, history)].map((z) => Math.round(z))).toEqual([0, -3, -8]);
});

test('counts in the millions score as the normal approximation does', () => {
  const history = Array.from({ length: 28 }, (_, index) => 1_000_000 + (index % 2 === 0 ? 50_000 : -50_000));
  const expected = 150_000 / Math.sqrt(sampleVariance(history));
  expect(countZ(1_150_000, history)).toBeCloseTo(expected, 0);
});
