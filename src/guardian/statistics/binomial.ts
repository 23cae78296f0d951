import { regularizedBeta } from './beta-function.ts';

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
