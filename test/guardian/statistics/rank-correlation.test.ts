import { expect, test } from 'vitest';
import { kendallZ } from '../../../src/guardian/statistics/statistics.ts';

test('values that rise together have the z-score of the table of Kendall', () => {
  // S = 10 of 10 pairs; the variance is n(n − 1)(2n + 5)/18 = 5·4·15/18.
  const pairs = [1, 2, 3, 4, 5].map((each) => [each, 10 * each] as const);
  expect(kendallZ(pairs)).toBeCloseTo(10 / Math.sqrt(300 / 18), 10);
  expect(kendallZ(pairs.map(([one, other]) => [one, -other] as const))).toBeCloseTo(-10 / Math.sqrt(300 / 18), 10);
});

test('ties in both samples lower the variance as the exact one of all permutations', () => {
  const ones = [1, 1, 2, 3, 3];
  const others = [5, 6, 6, 6, 9];
  const scores = permutations(others).map((order) => scoreOf(ones, order));
  const variance = scores.reduce((sum, score) => sum + score ** 2, 0) / scores.length;
  const pairs = ones.map((one, index) => [one, others[index] ?? 0] as const);
  expect(kendallZ(pairs)).toBeCloseTo(scoreOf(ones, others) / Math.sqrt(variance), 10);
});

test('a sample that never changes, and one too small to tell, show nothing', () => {
  expect(
    kendallZ([
      [1, 1],
      [1, 2],
      [1, 3],
    ]),
  ).toBe(0);
  expect(
    kendallZ([
      [1, 1],
      [2, 2],
    ]),
  ).toBe(0);
  expect(kendallZ([])).toBe(0);
});

function scoreOf(ones: readonly number[], others: readonly number[]): number {
  let score = 0;
  for (const [later, one] of ones.entries())
    for (const [earlier, other] of ones.slice(0, later).entries())
      score += Math.sign(one - other) * Math.sign((others[later] ?? 0) - (others[earlier] ?? 0));
  return score;
}

function permutations(values: readonly number[]): number[][] {
  if (values.length <= 1) return [[...values]];
  return values.flatMap((value, index) => permutations(values.toSpliced(index, 1)).map((rest) => [value, ...rest]));
}
