import { normalCdf } from './normal.ts';
import { median } from './statistics.ts';

/**
 * Two-sided p-value of a steady rise or fall in values that are in order of time: Mann-Kendall test, normal approximation with
 * corrections for ties and continuity (Kendall 1975; Gilbert 1987, 16.4). 1 where nothing moves.
 */
export function mannKendallP(values: readonly number[]): number {
  const score = pairs(values).reduce((sum, { rise }) => sum + Math.sign(rise), 0);
  const variance = scoreVariance(values);
  if (score === 0 || variance <= 0) return 1;
  return 2 * normalCdf(-(Math.abs(score) - 1) / Math.sqrt(variance));
}

/** Median of the slopes between all pairs of values, in the unit of the values per step (Sen 1968). NaN below two values. */
export function theilSenSlope(values: readonly number[]): number {
  return median(pairs(values).map(({ rise, steps }) => rise / steps));
}

function pairs(values: readonly number[]): { rise: number; steps: number }[] {
  return values.flatMap((later, to) =>
    values.slice(0, to).map((earlier, from) => ({ rise: later - earlier, steps: to - from })),
  );
}

function scoreVariance(values: readonly number[]): number {
  const sizes = [...Map.groupBy(values, (value) => value).values()].map((group) => group.length);
  const weight = (n: number) => n * (n - 1) * (2 * n + 5);
  return (weight(values.length) - sizes.reduce((sum, size) => sum + weight(size), 0)) / 18;
}
