import { logGamma } from './beta-function.ts';
import { type Dispersion, NO_DISPERSION, ratioOf } from './dispersion.ts';
import { mixtureOf, tailsOfMixture } from './mixture.ts';
import { type NegativeBinomial, tailsOf } from './negative-binomial.ts';
import { zOfTails } from './normal.ts';

/** Events in a window. `exposure`: how long there was a chance of them, in hours the daemon was up; above 0. */
export type Counted = { count: number; exposure: number };

/** The largest variance that is considered is the mean plus so many times its square. */
const MOST_EXCESS = 10;
/** How much more probable a large excess is held to be, as a power of 1 + excess. Our own, as the prior of `mixtureOf` is. */
const LARGE_EXCESS = 2;

/** `zOfCount` of one count. */
export function countZ({ count, exposure }: Counted, history: readonly Counted[], known?: Dispersion): number {
  return zOfCount(exposure, history, known)(count);
}

/**
 * Tells how unusual counts in a window are after the counts of earlier windows: z-scores in ±8.
 * The predictive distribution is a mixture of negative-binomial ones, each with another ratio of variance to mean, weighted by how
 * well it explains the history: the error of the estimated dispersion is thereby part of it. Each also includes the error of
 * the mean: with Jeffreys' prior a Poisson rate gives mean S + ½ over the exposure, and variance μ(1 + 1/n) (Gelman et al., Bayesian
 * Data Analysis, 2.6 and 2.7). Expected counts are in proportion to exposure. `known` is the least ratio of variance to mean.
 * A history of zeros is a history: after 28 of them z(1) = 2.37 and z(3) = 4.35.
 */
export function zOfCount(
  exposure: number,
  history: readonly Counted[],
  known: Dispersion = NO_DISPERSION,
): (count: number) => number {
  const least = Math.max(1, ratioOf(known));
  const whole = sumOf(history, 'exposure');
  const mean = expectedCount(exposure, { history, prior: 0.5 * least });
  const most = 1 + (MOST_EXCESS * sumOf(history, 'count') * exposure) / whole;
  const mixture = mixtureOf({ least, most }, (ratio): Assumed => {
    const excess = (ratio - 1) / mean;
    const variance = ratio * mean * (1 + exposure / whole);
    return {
      logLikelihood: logLikelihood(history, { rate: mean / exposure, excess }) + LARGE_EXCESS * Math.log1p(excess),
      distribution: { mean, size: mean ** 2 / Math.max(variance - mean, 1e-9) },
    };
  });
  return (count) => zOfTails(tailsOfMixture(mixture, (distribution) => tailsOf(count, distribution)));
}

type Assumed = { logLikelihood: number; distribution: NegativeBinomial };

/** The part of a window in the dispersion: for a Poisson rate the squared distance is as large as the mean (McCullagh & Nelder 1989). */
export function countDispersion({ count, exposure }: Counted, history: readonly Counted[]): Dispersion {
  const expected = expectedCount(exposure, { history, prior: 0.5 });
  return { squares: (count - expected) ** 2, expected };
}

function expectedCount(exposure: number, { history, prior }: { history: readonly Counted[]; prior: number }): number {
  return ((sumOf(history, 'count') + prior) * exposure) / sumOf(history, 'exposure');
}

/**
 * Without the factors of the counts alone, which are the same for every excess. `rate`: the count expected for an exposure of 1; `excess`:
 * the variance beyond that of chance, in units of the squared mean.
 */
function logLikelihood(history: readonly Counted[], { rate, excess }: { rate: number; excess: number }): number {
  const size = 1 / Math.max(excess, 1e-9);
  const logGammaOfSize = logGamma(size);
  return history.reduce((sum, { count, exposure }) => {
    const expected = rate * exposure;
    const arrangements = logGamma(count + size) - logGammaOfSize;
    return sum + arrangements - size * Math.log1p(expected / size) - count * Math.log1p(size / expected);
  }, 0);
}

function sumOf(history: readonly Counted[], part: keyof Counted): number {
  return history.reduce((sum, window) => sum + window[part], 0);
}
