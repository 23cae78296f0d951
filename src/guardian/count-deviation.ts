import { logGamma, regularizedBeta } from './beta-function.ts';
import { type Dispersion, NO_DISPERSION, ratioOf } from './dispersion.ts';
import { zOfTails } from './normal.ts';
import { mean, sampleVariance } from './statistics.ts';

/**
 * How unusual a count is after the counts of earlier windows of the same length, as a z-score in ±8.
 * Negative-binomial predictive distribution: with Jeffreys' prior a Poisson rate gives mean (S + ½)/n and variance
 * μ(1 + 1/n) (Gelman et al., Bayesian Data Analysis, 2.6); a larger sample variance takes its place (method of moments).
 * A history of zeros is a history: after 28 of them z(1) = 2.37 and z(3) = 4.35. Both tails are mid-p (Lancaster 1961).
 */
export function countZ(count: number, history: readonly number[], known: Dispersion = NO_DISPERSION): number {
  const distribution = predictive(history, Math.max(1, ratioOf(known)));
  const half = probabilityOf(count, distribution) / 2;
  return zOfTails({
    below: probabilityBelow(count, distribution) + half,
    above: probabilityAbove(count, distribution) + half,
  });
}

/** Failures before `size` successes of probability size/(size + mean). */
type NegativeBinomial = { size: number; mean: number };

/** What a window adds to the dispersion: for a Poisson rate the squared distance is as large as the mean (McCullagh & Nelder 1989). */
export function countDispersion(count: number, history: readonly number[]): Dispersion {
  const expected = mean(history) + 0.5 / history.length;
  return { squares: (count - expected) ** 2, expected };
}

function predictive(history: readonly number[], heap: number): NegativeBinomial {
  const n = history.length;
  const expected = mean(history) + (0.5 * heap) / n;
  const variance = Math.max(sampleVariance(history), heap * expected * (1 + 1 / n));
  return { mean: expected, size: expected ** 2 / Math.max(variance - expected, 1e-9) };
}

function probabilityOf(count: number, { size, mean }: NegativeBinomial): number {
  const arrangements = logGamma(count + size) - logGamma(size) - logGamma(count + 1);
  return Math.exp(arrangements - size * Math.log1p(mean / size) - count * Math.log1p(size / mean));
}

function probabilityBelow(count: number, { size, mean }: NegativeBinomial): number {
  return count === 0 ? 0 : regularizedBeta(size / (size + mean), { a: size, b: count });
}

function probabilityAbove(count: number, { size, mean }: NegativeBinomial): number {
  return regularizedBeta(mean / (size + mean), { a: count + 1, b: size });
}
