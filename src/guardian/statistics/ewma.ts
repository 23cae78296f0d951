import { clamp } from './statistics.ts';

const WEIGHT = 0.25;
/**
 * Exponentially weighted mean of z-scores, oldest first, each clipped to ±4 so that one spike is not a shift (Roberts 1959,
 * Lucas & Saccucci 1990), divided by its long-run standard deviation √(λ/(2 − λ)) for λ = ¼.
 */
export function shiftOf(zScores: readonly number[]): number {
  const average = zScores.reduce((before, z) => WEIGHT * clamp(z, { from: -4, to: 4 }) + (1 - WEIGHT) * before, 0);
  return average / Math.sqrt(WEIGHT / (2 - WEIGHT));
}
