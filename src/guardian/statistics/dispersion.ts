const DAY_MS = 86_400_000;
const REMEMBERED_DAYS = 28;

/**
 * How much more a metric varies around its baseline over weeks than chance alone explains: the observed and the expected sum
 * of squared distances, with older windows weighted less. A baseline of 28 windows cannot show this for rare, clustered
 * events. After Pearson's estimate of over-dispersion (McCullagh & Nelder 1989), as a ratio of sums; the decay of older
 * windows is our own.
 */
export type Dispersion = { squares: number; expected: number };

export const NO_DISPERSION: Dispersion = { squares: 0, expected: 0 };

/** With one more whole window; it has lost most of its weight 28 days, or 28 windows, later. */
export function withWindow(before: Dispersion, window: Dispersion, lengthMs: number): Dispersion {
  const kept = Math.exp(-1 / Math.max(REMEMBERED_DAYS, (REMEMBERED_DAYS * DAY_MS) / lengthMs));
  return {
    squares: kept * before.squares + window.squares,
    expected: kept * before.expected + window.expected,
  };
}

export function ratioOf({ squares, expected }: Dispersion): number {
  return expected > 0 ? squares / expected : 0;
}
