import { clamp } from './statistics.ts';

/** Beyond this a z-score says nothing more: the probability is below 1e-15. */
export const Z_LIMIT = 8;

/** Probability that a standard normal variable is at most x. */
export function normalCdf(x: number): number {
  return x < 0 ? upperTail(-x) : 1 - upperTail(x);
}

/** The z-score, clipped to ±8, at which a standard normal variable has these probabilities below and above it. */
export function zOfTails({ below, above }: { below: number; above: number }): number {
  const z = above < below ? zOfUpperTail(above) : -zOfUpperTail(below);
  return clamp(z, { from: -Z_LIMIT, to: Z_LIMIT });
}

/** Two steps of Halley's method from Hastings' approximation (Abramowitz & Stegun 1964, 26.2.23). */
function zOfUpperTail(probability: number): number {
  if (probability <= 0) return Number.POSITIVE_INFINITY;
  const t = Math.sqrt(-2 * Math.log(probability));
  const start = t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  return halleyStep(halleyStep(start, probability), probability);
}

function halleyStep(z: number, probability: number): number {
  const newton = (upperTail(z) - probability) / density(z);
  return z + newton / (1 - (z * newton) / 2);
}

function upperTail(x: number): number {
  if (x < 0) return 1 - upperTail(-x);
  return x < 3 ? 0.5 - massFromZero(x) : density(x) * millsRatio(x);
}

/** Series φ(x)·(x + x³/3 + x⁵/(3·5) + …), Marsaglia 2004, "Evaluating the normal distribution". */
function massFromZero(x: number): number {
  let term = x;
  let sum = x;
  for (let divisor = 3; term > sum * 1e-17; divisor += 2) {
    term *= (x * x) / divisor;
    sum += term;
  }
  return density(x) * sum;
}

/** Laplace's continued fraction 1/(x + 1/(x + 2/(x + …))), Abramowitz & Stegun 1964, 26.2.14; for x of 3 or more. */
function millsRatio(x: number): number {
  let fraction = x;
  for (let numerator = 100; numerator >= 1; numerator -= 1) fraction = x + numerator / fraction;
  return 1 / fraction;
}

function density(x: number): number {
  return Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
}
