const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A window is four means of three values each, that is the last twelve values. */
const STEP = 3;
const MEANS = 4;
const WINDOW = STEP * MEANS;
/** Windows at the same hour are compared by their last two means: there are fewer of them. */
const MEANS_AT_HOUR = 2;
/** Earlier windows begin at every third value: about 1300 comparisons a value. A power of two, so that positions wrap by a mask. */
const KEPT = 4096;
const MASK = KEPT - 1;

/** Euclidean distances, in the unit of the values. 0 while there is nothing to compare with. */
export type NearestDistances = { anyTime: number; sameHour: number };

/**
 * How far the shape of the last twelve values is from the most similar earlier one, over the last 4096 values: at any time, and within
 * an hour of the same time of day. It is the nearest-neighbour score of conformal k-NN detectors with k = 1 (Ishimtsev et al. 2017).
 */
export function createNearestWindow(): (observation: { atMs: number; value: number }) => NearestDistances {
  const means = new Float64Array(KEPT);
  const times = new Float64Array(KEPT);
  const latest = new Float64Array(MEANS);
  const recent: number[] = [];
  let row = -1;

  function add({ atMs, value }: { atMs: number; value: number }): void {
    row += 1;
    recent.push(value);
    if (recent.length > STEP) recent.shift();
    means[row & MASK] = recent.reduce((sum, each) => sum + each, 0) / recent.length;
    times[row & MASK] = atMs;
    for (let index = 0; index < MEANS; index += 1) latest[index] = means[(row - index * STEP) & MASK] ?? 0;
  }

  /** Squared difference of one mean of the latest window from the same one of the window that ends at `end`. */
  const squaredDifference = (end: number, index: number) => {
    const difference = (latest[index] ?? 0) - (means[(end - index * STEP) & MASK] ?? 0);
    return difference * difference;
  };

  return (observation) => {
    add(observation);
    let anyTime = Number.POSITIVE_INFINITY;
    let sameHour = Number.POSITIVE_INFINITY;
    const oldest = Math.max(WINDOW, row - KEPT + WINDOW);
    for (let end = row - WINDOW; end >= oldest; end -= STEP) {
      // The sum only grows, so that most windows are ruled out by their first mean.
      let sum = squaredDifference(end, 0);
      if (sum >= anyTime && sum >= sameHour) continue;
      sum += squaredDifference(end, 1);
      if (sum < sameHour && isSameHour(observation.atMs - (times[end & MASK] ?? 0))) sameHour = sum;
      for (let index = MEANS_AT_HOUR; index < MEANS && sum < anyTime; index += 1) sum += squaredDifference(end, index);
      anyTime = Math.min(anyTime, sum);
    }
    return { anyTime: rootOf(anyTime), sameHour: rootOf(sameHour) };
  };
}

function isSameHour(elapsedMs: number): boolean {
  return Math.abs(((elapsedMs + DAY_MS / 2) % DAY_MS) - DAY_MS / 2) <= HOUR_MS;
}

function rootOf(squared: number): number {
  return Number.isFinite(squared) ? Math.sqrt(squared) : 0;
}
