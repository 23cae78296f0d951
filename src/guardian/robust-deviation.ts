import { Z_LIMIT } from './normal.ts';
import { clamp, median, robustScale } from './statistics.ts';

/**
 * How far a value lies from the median of earlier windows, in robust standard deviations, in ±8 (Iglewicz & Hoaglin 1993,
 * Leys et al. 2013). `leastScale`, in the unit of the values, keeps a history that hardly moved from making trifles extreme.
 */
export function robustZ(value: number, history: readonly number[], leastScale: number): number {
  const scale = Math.max(robustScale(history), leastScale);
  return clamp((value - median(history)) / scale, { from: -Z_LIMIT, to: Z_LIMIT });
}

/** `robustZ` of durations in milliseconds, taken as ratios: ln(value + 1 ms), and a scale of at least 10 %. */
export function durationZ(durationMs: number, historyMs: readonly number[]): number {
  return robustZ(
    Math.log(durationMs + 1),
    historyMs.map((ms) => Math.log(ms + 1)),
    Math.log(1.1),
  );
}

/** `robustZ` of entropies in bits, with a scale of at least 0.15 bit. */
export function entropyZ(bits: number, historyBits: readonly number[]): number {
  return robustZ(bits, historyBits, 0.15);
}

/** `robustZ` of shares of time from 0 to 1. The least scale makes 5 points, the least change worth telling, 3.5 deviations. */
export function gaugeZ(share: number, history: readonly number[]): number {
  return robustZ(share, history, 0.05 / 3.5);
}
