import { regularizedBeta } from './beta-function.ts';

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
