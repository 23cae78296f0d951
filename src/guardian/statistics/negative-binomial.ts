import { logGamma, regularizedBeta } from './beta-function.ts';

/** Failures before `size` successes of probability size/(size + mean); variance mean + mean²/size. Both above 0. */
export type NegativeBinomial = { size: number; mean: number };

/** Probabilities of less and of more than a count, half of its own probability in each: mid-p (Lancaster 1961). */
export function tailsOf(count: number, { size, mean }: NegativeBinomial): { below: number; above: number } {
  const half = probabilityOf(count, { size, mean }) / 2;
  if (count > mean) {
    const above = half + regularizedBeta(mean / (size + mean), { a: count + 1, b: size });
    return { below: 1 - above, above };
  }
  const below = half + (count === 0 ? 0 : regularizedBeta(size / (size + mean), { a: size, b: count }));
  return { below, above: 1 - below };
}

function probabilityOf(count: number, { size, mean }: NegativeBinomial): number {
  const arrangements = logGamma(count + size) - logGamma(size) - logGamma(count + 1);
  return Math.exp(arrangements - size * Math.log1p(mean / size) - count * Math.log1p(size / mean));
}
