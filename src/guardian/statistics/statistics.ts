/** Median of the values; NaN for none, so that a missing sample cannot pass for a number. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Quantile by linear interpolation between order statistics (Hyndman & Fan 1996, type 7); NaN for no values. */
export function quantile(values: readonly number[], share: number): number {
  return quantileOfSorted(ascending(values), share);
}

/** As `quantile`, for values that are already in ascending order. */
export function quantileOfSorted(sorted: ArrayLike<number>, share: number): number {
  const position = share * (sorted.length - 1);
  const below = sorted[Math.floor(position)];
  const above = sorted[Math.ceil(position)];
  if (below === undefined || above === undefined) return Number.NaN;
  return below + (above - below) * (position - Math.floor(position));
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Unbiased sample variance, divisor n − 1 (Bessel's correction); 0 for fewer than two values. */
export function sampleVariance(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const centre = mean(values);
  return values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (values.length - 1);
}

export function clamp(value: number, limits: { from: number; to: number }): number {
  return Math.min(limits.to, Math.max(limits.from, value));
}

function ascending(values: readonly number[]): Float64Array {
  return Float64Array.from(values).sort();
}
