/** Median of the values; NaN for none, so that a missing sample cannot pass for a number. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Quantile by linear interpolation between order statistics (Hyndman & Fan 1996, type 7); NaN for no values. */
export function quantile(values: readonly number[], share: number): number {
  return quantileOfSorted(ascending(values), share);
}

/** As `quantile`, for values that are already in ascending order. */
function quantileOfSorted(sorted: ArrayLike<number>, share: number): number {
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

/**
 * How clearly the values of two samples of pairs rise together, as a z-score: Kendall's S over its standard deviation under
 * independence, corrected for ties in both (Kendall 1970, Rank Correlation Methods, 4.4). Positive where they rise together, 0 where
 * one of them never changes.
 */
export function kendallZ(pairs: readonly (readonly [number, number])[]): number {
  const count = pairs.length;
  const ones = tieSizes(pairs.map(([one]) => one));
  const others = tieSizes(pairs.map(([, other]) => other));
  const untied = weight(count) - sumOf(ones, weight) - sumOf(others, weight);
  const pairsTied = (sumOf(ones, pairsOf) * sumOf(others, pairsOf)) / (2 * pairsOf(count));
  const triplesTied = (sumOf(ones, triplesOf) * sumOf(others, triplesOf)) / (9 * triplesOf(count));
  const variance = untied / 18 + pairsTied + triplesTied;
  return count > 2 && variance > 0 ? scoreOf(pairs) / Math.sqrt(variance) : 0;
}

/** Pairs in the same order less pairs in opposite order. */
function scoreOf(pairs: readonly (readonly [number, number])[]): number {
  const ones = Float64Array.from(pairs, ([one]) => one);
  const others = Float64Array.from(pairs, ([, other]) => other);
  let score = 0;
  for (let later = 1; later < pairs.length; later += 1) {
    const [one = 0, other = 0] = [ones[later], others[later]];
    for (let earlier = 0; earlier < later; earlier += 1)
      score += order(one, ones[earlier]) * order(other, others[earlier]);
  }
  return score;
}

function order(later: number, earlier = 0): number {
  if (later > earlier) return 1;
  return later < earlier ? -1 : 0;
}

/** How often each value comes. */
function tieSizes(values: readonly number[]): number[] {
  return [...Map.groupBy(values, (value) => value).values()].map((group) => group.length);
}

function weight(size: number): number {
  return size * (size - 1) * (2 * size + 5);
}

function pairsOf(size: number): number {
  return size * (size - 1);
}

function triplesOf(size: number): number {
  return size * (size - 1) * (size - 2);
}

function sumOf(sizes: readonly number[], term: (size: number) => number): number {
  return sizes.reduce((sum, size) => sum + term(size), 0);
}
