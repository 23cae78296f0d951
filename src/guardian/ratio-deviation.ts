import { logBeta, logGamma } from './beta-function.ts';
import { type Dispersion, NO_DISPERSION, ratioOf } from './dispersion.ts';
import { zOfTails } from './normal.ts';
import { clamp } from './statistics.ts';

/** `hits` of `total`: the two counts a ratio is made of. */
export type Share = { hits: number; total: number };

/**
 * How unusual a ratio is after the ratios of earlier windows, as a z-score in ±8; 0 where nothing was counted.
 * Beta-binomial predictive distribution with Jeffreys' prior (Brown, Cai & DasGupta 2001). Where the windows differ by more
 * than chance, Pearson χ²/(m − 1) above 1, the excess becomes a correlation within windows (Williams 1982) that widens it.
 */
export function ratioZ(current: Share, history: readonly Share[], known: Dispersion = NO_DISPERSION): number {
  if (current.total === 0) return 0;
  return zOfTails(tails(current, predictive(history, ratioOf(known))));
}

/** What a window adds to the dispersion: its ratio is the correlation within windows, by the method of moments (Williams 1982). */
export function ratioDispersion({ hits, total }: Share, history: readonly Share[]): Dispersion {
  const { hits: before, total: of } = sumOf(history);
  const centre = (before + 0.5) / (of + 1);
  const chance = centre * (1 - centre);
  return { squares: (hits - total * centre) ** 2 - total * chance, expected: total * (total - 1) * chance };
}

type Beta = { a: number; b: number };

function predictive(history: readonly Share[], correlationKnown: number): Beta {
  const windows = history.filter(({ total }) => total > 0);
  const { hits, total } = sumOf(windows);
  const typical = typicalTotal(windows);
  // The excess that a correlation makes is the design effect (Kish 1965).
  const excess = Math.max(dispersion(windows, (hits + 0.5) / (total + 1)), 1 + (typical - 1) * correlationKnown);
  const centre = (hits + 0.5 * excess) / (total + excess);
  const correlation = clamp((excess - 1) / (typical - 1), { from: 0, to: 0.99 });
  const uncertaintyOfCentre = 1 / (1 + (total + 1) / excess);
  // Variance of the share to be expected in the next window, apart from sampling, in units of p(1 − p).
  const variance = correlation + (1 - correlation) * uncertaintyOfCentre;
  const concentration = 1 / variance - 1;
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

/** Pearson's χ² (1900) divided by its degrees of freedom. */
function dispersion(windows: readonly Share[], centre: number): number {
  if (windows.length < 2) return 1;
  const squares = windows.map(({ hits, total }) => (hits - total * centre) ** 2 / (total * centre * (1 - centre)));
  return Math.max(1, squares.reduce((sum, square) => sum + square, 0) / (windows.length - 1));
}

/** Mean number in a window, each weighted by its size: large windows decide how visible an excess is. At least 2. */
function typicalTotal(windows: readonly Share[]): number {
  const sum = windows.reduce((total, window) => total + window.total, 0);
  const squares = windows.reduce((total, window) => total + window.total ** 2, 0);
  return sum === 0 ? 2 : Math.max(2, squares / sum);
}

/** Both tails with half of the observed value's own probability each, mid-p (Lancaster 1961), summed outwards from it. */
function tails({ hits, total }: Share, shape: Beta): { below: number; above: number } {
  const own = probabilityOf({ hits, total }, shape);
  const mirrored = { a: shape.b, b: shape.a };
  return {
    below: own / 2 + tailBeyond({ hits: total - hits, total }, mirrored, own),
    above: own / 2 + tailBeyond({ hits, total }, shape, own),
  };
}

function tailBeyond({ hits, total }: Share, { a, b }: Beta, probability: number): number {
  let term = probability;
  let sum = 0;
  for (let k = hits; k < total; k += 1) {
    term *= ((total - k) * (k + a)) / ((k + 1) * (total - k - 1 + b));
    sum += term;
  }
  return sum;
}

function probabilityOf({ hits, total }: Share, { a, b }: Beta): number {
  const ways = logGamma(total + 1) - logGamma(hits + 1) - logGamma(total - hits + 1);
  return Math.exp(ways + logBeta(hits + a, total - hits + b) - logBeta(a, b));
}
