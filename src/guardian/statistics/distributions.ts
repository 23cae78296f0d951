/** Natural logarithm of the gamma function for x > 0: Stirling's series (DLMF 5.11.1) after shifting x to 10 or more. */
export function logGamma(x: number): number {
  let shifted = x;
  let product = 1;
  while (shifted < 10) {
    product *= shifted;
    shifted += 1;
  }
  return stirling(shifted) - Math.log(product);
}

/** Natural logarithm of the beta function for a, b > 0. */
export function logBeta(a: number, b: number): number {
  return logGamma(a) + logGamma(b) - logGamma(a + b);
}

/**
 * Regularized incomplete beta function I_x(a, b) for 0 ≤ x ≤ 1 and a, b > 0: the share of a beta distribution below x.
 * Continued fraction DLMF 8.17.22, on the side of the mean where it converges fast.
 */
export function regularizedBeta(x: number, shape: { a: number; b: number }): number {
  const { a, b } = shape;
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - regularizedBeta(1 - x, { a: b, b: a });
  const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) - logBeta(a, b)) / a;
  return front / continuedFraction(x, shape);
}

function stirling(x: number): number {
  const square = x * x;
  const correction =
    (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / (1188 * square)) / square) / square) / square) / x;
  return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + correction;
}

/** Value of 1 + d₁/(1 + d₂/(1 + …)), by the modified Lentz method (Thompson & Barnett 1986). */
function continuedFraction(x: number, shape: { a: number; b: number }): number {
  const tiny = 1e-300;
  let value = 1;
  let above = 1;
  let below = 0;
  for (let index = 1; index < 100_000; index += 1) {
    const numerator = betaCoefficient(index, x, shape);
    below = 1 / (1 + numerator * below || tiny);
    above = 1 + numerator / above || tiny;
    value *= above * below;
    if (Math.abs(above * below - 1) < 1e-15) return value;
  }
  return value;
}

function betaCoefficient(index: number, x: number, { a, b }: { a: number; b: number }): number {
  const m = Math.floor(index / 2);
  if (index % 2 === 0) return (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
  return (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
}

/** Probability of at least `hits` in `trials` independent trials that each hit with this probability (Abramowitz & Stegun 26.5.24). */
export function probabilityOfAtLeast(
  hits: number,
  { trials, probability }: { trials: number; probability: number },
): number {
  if (hits <= 0) return 1;
  if (hits > trials) return 0;
  return regularizedBeta(probability, { a: hits, b: trials - hits + 1 });
}

/** So many of a total. */
export type Share = { hits: number; total: number };

/** The probability that the share behind a ratio is at least as bad as its bound. */
const SURE = 0.95;
const STEPS = 30;

/**
 * The bound that the share behind `hits` of `total` passes on its bad side with a probability of 95 %: few samples say little, so it is
 * close to the good side for them. `isHighBad`: a high share is bad. One-sided Jeffreys interval (Brown, Cai & DasGupta 2001).
 */
export function cautiousRatio(
  { hits, total }: { hits: number; total: number },
  { isHighBad }: { isHighBad: boolean },
): number {
  const shape = { a: hits + 0.5, b: total - hits + 0.5 };
  const below = isHighBad ? 1 - SURE : SURE;
  let [from, to] = [0, 1];
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (from + to) / 2;
    if (regularizedBeta(middle, shape) < below) from = middle;
    else to = middle;
  }
  return (from + to) / 2;
}

/** The probability of more than `t` in Student's distribution with so many degrees of freedom (DLMF 8.17, A&S 26.7). */
export function probabilityAbove(t: number, degreesOfFreedom: number): number {
  const beyond =
    regularizedBeta(degreesOfFreedom / (degreesOfFreedom + t * t), { a: degreesOfFreedom / 2, b: 0.5 }) / 2;
  return t < 0 ? 1 - beyond : beyond;
}
