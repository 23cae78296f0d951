import { Z_LIMIT } from './normal.ts';
import { pairwiseScale } from './pairwise-scale.ts';
import { clamp, mean, median } from './statistics.ts';
import { zOfStudent } from './student.ts';

/** The variance of a median of n normal values is about so many times σ²/n (Laplace 1818; Kenney & Keeping 1962). */
const MEDIAN_VARIANCE = Math.PI / 2;

/**
 * Tells how unusual values are after those of earlier windows: z-scores in ±8. They are predictive: both the median and the scale are
 * estimates from n windows, so that (value − median)/(scale·√(1 + π/2n)) follows Student's distribution (Geisser 1993, "Predictive
 * inference") with the degrees of freedom of `degreesOfFreedom`. `leastScale`, in the unit of the values, keeps a history that hardly
 * moved from making trifles extreme: no z-score is larger than the distance in units of it.
 */
export function zOfValue(history: readonly number[], leastScale: number): (value: number) => number {
  const middle = median(history);
  const scale = scaleOf(history) * Math.sqrt(1 + MEDIAN_VARIANCE / history.length);
  return (value) => {
    const distance = value - middle;
    const bound = Math.min(Z_LIMIT, Math.abs(distance) / leastScale);
    if (scale === 0) return Math.sign(distance) * bound;
    return clamp(zOfStudent(distance / scale, degreesOfFreedom(history.length)), { from: -bound, to: bound });
  };
}

/** `zOfValue` of durations in milliseconds, taken as ratios: ln(value + 1 ms), and a scale of at least 10 %. */
export function zOfDuration(historyMs: readonly number[]): (durationMs: number) => number {
  const z = zOfValue(
    historyMs.map((ms) => Math.log(ms + 1)),
    Math.log(1.1),
  );
  return (durationMs) => z(Math.log(durationMs + 1));
}

/** `zOfValue` of entropies in bits, with a scale of at least 0.15 bit. */
export function entropyZ(bits: number, historyBits: readonly number[]): number {
  return zOfValue(historyBits, 0.15)(bits);
}

/** `zOfValue` of shares of time from 0 to 1. The least scale makes 5 points, the least change worth telling, 3.5 deviations. */
export function gaugeZ(share: number, history: readonly number[]): number {
  return zOfValue(history, 0.05 / 3.5)(share);
}

/** Where about half of the values agree, 1.2533 times the mean distance from the median (√(π/2), exact for a normal distribution). */
function scaleOf(history: readonly number[]): number {
  const pairwise = pairwiseScale(history);
  if (pairwise > 0) return pairwise;
  const middle = median(history);
  return 1.2533 * mean(history.map((value) => Math.abs(value - middle)));
}

/**
 * Student's distribution with so many degrees of freedom has the tails that this deviation was measured to have beyond z 3.5 in 20 000
 * simulated normal histories of each n from 8 to 28 (2.1 at 4, 4.7 at 8, 9.2 at 14, 21.1 at 28). The line through them is our own.
 */
function degreesOfFreedom(n: number): number {
  return Math.max(1, 0.8 * n - 1.8);
}
