import { type Beta, logLikelihood, type Share, tailsOf } from './beta-binomial.ts';
import { type Dispersion, NO_DISPERSION, ratioOf } from './dispersion.ts';
import { mixtureOf, tailsOfMixture } from './mixture.ts';
import { zOfTails } from './normal.ts';
import { clamp } from './statistics.ts';

export type { Share } from './beta-binomial.ts';

/** The largest over-dispersion that is considered is 1 plus so many times the rarer outcome comes in a window. */
const MOST_EXCESS = 10;
/** A large correlation is held to be more probable: a weight of (1 + 10 · correlation)^2.75. Our own, as the prior of `mixtureOf` is. */
const LARGE_CORRELATION = { times: 10, power: 2.75 };

/**
 * Tells how unusual ratios are after those of earlier windows: z-scores in ±8, 0 where nothing was counted. The predictive distribution is a mixture of beta-binomial ones with Jeffreys' prior (Brown, Cai &
 * DasGupta 2001), each with another over-dispersion, weighted by how well it explains the history. The over-dispersion is a
 * design effect (Kish 1965): a correlation within windows makes a ratio vary as if so many times fewer had been counted
 * (Williams 1982). `known` is the least correlation.
 */
export function zOfRatio(history: readonly Share[], known: Dispersion = NO_DISPERSION): (current: Share) => number {
  const windows = history.filter(({ total }) => total > 0);
  const typical = typicalTotal(windows);
  const sum = sumOf(windows);
  const range = {
    least: Math.max(1, 1 + (typical - 1) * ratioOf(known)),
    most: mostExcess(windows.length, sum, typical),
  };
  const mixture = mixtureOf(range, (excess) => {
    const shape = explaining(excess, { ...sum, typical });
    const prior = LARGE_CORRELATION.power * Math.log1p(LARGE_CORRELATION.times * correlationOf(excess, typical));
    return {
      logLikelihood: logLikelihood(windows, shape) + prior,
      distribution: predicting(excess, { ...sum, typical }),
    };
  });
  return (current) => (current.total === 0 ? 0 : zOfTails(tailsOfMixture(mixture, (shape) => tailsOf(current, shape))));
}

/** The part of a window in the dispersion: its ratio is the correlation within windows, by the method of moments (Williams 1982). */
export function ratioDispersion({ hits, total }: Share, history: readonly Share[]): Dispersion {
  const { hits: before, total: of } = sumOf(history);
  const centre = (before + 0.5) / (of + 1);
  const chance = centre * (1 - centre);
  return { squares: (hits - total * centre) ** 2 - total * chance, expected: total * (total - 1) * chance };
}

/** Where all of a history agrees, as where nothing ever failed, there is nothing to be over-dispersed. As for counts. */
function mostExcess(windows: number, { hits, total }: Share, typical: number): number {
  if (windows < 2) return 1;
  return Math.min(typical, 1 + (MOST_EXCESS * Math.min(hits, total - hits)) / windows);
}

type Known = Share & { typical: number };

/** The distribution of the share over the windows of the history, if their over-dispersion is `excess`. */
function explaining(excess: number, { hits, total, typical }: Known): Beta {
  return shapeOf((hits + 0.5) / (total + 1), correlationOf(excess, typical));
}

/** The same for the next window, whose centre is an estimate. The variance is that of the share, in units of p(1 − p). */
function predicting(excess: number, { hits, total, typical }: Known): Beta {
  const correlation = correlationOf(excess, typical);
  const uncertaintyOfCentre = 1 / (1 + (total + 1) / excess);
  return shapeOf((hits + 0.5 * excess) / (total + excess), correlation + (1 - correlation) * uncertaintyOfCentre);
}

function correlationOf(excess: number, typical: number): number {
  return clamp((excess - 1) / (typical - 1), { from: 0, to: 0.99 });
}

/** A variance near 0, in units of p(1 − p), gives a binomial distribution. */
function shapeOf(centre: number, variance: number): Beta {
  const concentration = 1 / Math.max(variance, 1e-7) - 1;
  return { a: centre * concentration, b: (1 - centre) * concentration };
}

function sumOf(windows: readonly Share[]): Share {
  let [hits, total] = [0, 0];
  for (const window of windows) {
    hits += window.hits;
    total += window.total;
  }
  return { hits, total };
}

/** Mean number in a window, each weighted by its size: large windows decide how visible an excess is. At least 2. */
function typicalTotal(windows: readonly Share[]): number {
  const sum = windows.reduce((total, window) => total + window.total, 0);
  const squares = windows.reduce((total, window) => total + window.total ** 2, 0);
  return sum === 0 ? 2 : Math.max(2, squares / sum);
}
