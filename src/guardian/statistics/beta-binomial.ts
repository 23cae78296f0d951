import { logBeta, logGamma } from './beta-function.ts';

/** `hits` of `total`: the two counts a ratio is made of. */
export type Share = { hits: number; total: number };

/** A beta distribution of probabilities, both above 0. */
export type Beta = { a: number; b: number };

/** Terms so much smaller than their sum so far, in a tail that only falls, do not change it. */
const NEGLIGIBLE = 1e-17;

/**
 * Probabilities of fewer and of more hits where the probability of a hit is drawn from a beta distribution, with half of the
 * observed value's own probability in each: mid-p (Lancaster 1961). The tail away from the mean is summed, the other one is the rest.
 */
export function tailsOf(share: Share, shape: Beta): { below: number; above: number } {
  const half = Math.exp(logLikelihood([share], shape) + logWays(share)) / 2;
  const { hits, total } = share;
  if (hits * (shape.a + shape.b) > total * shape.a) {
    const above = half + tailBeyond(share, shape, 2 * half);
    return { below: 1 - above, above };
  }
  const below = half + tailBeyond({ hits: total - hits, total }, { a: shape.b, b: shape.a }, 2 * half);
  return { below, above: 1 - below };
}

/** Logarithm of the probability of sequences of so many hits and misses, one sequence for each window. */
export function logLikelihood(windows: readonly Share[], { a, b }: Beta): number {
  const whole = logBeta(a, b);
  return windows.reduce((sum, { hits, total }) => sum + logBeta(hits + a, total - hits + b) - whole, 0);
}

function logWays({ hits, total }: Share): number {
  return logGamma(total + 1) - logGamma(hits + 1) - logGamma(total - hits + 1);
}

function tailBeyond({ hits, total }: Share, { a, b }: Beta, probability: number): number {
  let term = probability;
  let sum = 0;
  for (let k = hits; k < total; k += 1) {
    const ratio = ((total - k) * (k + a)) / ((k + 1) * (total - k - 1 + b));
    term *= ratio;
    sum += term;
    if (ratio < 1 && term <= NEGLIGIBLE * sum) break;
  }
  return sum;
}
