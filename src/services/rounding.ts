/** Rounds a number for an answer; stored values and calculations stay exact. */
export function rounded(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.round(scale * value) / scale;
}

/** Milliseconds to a tenth. */
export function shownMs(ms: number): number {
  return rounded(ms, 1);
}

/** A share from 0 to 1 to a hundredth of a percent. */
export function shownShare(share: number): number {
  return rounded(share, 4);
}
