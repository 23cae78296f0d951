import { expect, test } from 'vitest';
import { probabilityOfAtLeast } from '../../../src/guardian/statistics/distributions.ts';

test('the probability of at least so many hits is the sum of the binomial distribution', () => {
  const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n, k - 1) * (n - k + 1)) / k);
  for (const [hits, trials, probability] of [
    [1, 5, 0.5],
    [3, 20, 0.1],
    [20, 20, 0.9],
  ] as const) {
    const terms = Array.from(
      { length: trials + 1 },
      (_, k) => choose(trials, k) * probability ** k * (1 - probability) ** (trials - k),
    );
    const sum = terms.slice(hits).reduce((total, term) => total + term, 0);
    expect(probabilityOfAtLeast(hits, { trials, probability })).toBeCloseTo(sum, 10);
  }
});

test('no hits are certain, and more hits than trials impossible', () => {
  expect(probabilityOfAtLeast(0, { trials: 5, probability: 0.1 })).toBe(1);
  expect(probabilityOfAtLeast(6, { trials: 5, probability: 0.1 })).toBe(0);
});
