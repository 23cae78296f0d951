import { quantileOfSorted } from './statistics.ts';

/** The latest values of a stream, up to a capacity, kept in ascending order too so that robust statistics stay cheap. */
export type SlidingWindow = {
  add(value: number): void;
  size(): number;
  /** NaN while empty. */
  median(): number;
  /** As `quantile` of the values in the window; NaN while empty. */
  quantile(share: number): number;
  /** As `robustScale` of the values in the window (Leys et al. 2013). */
  scale(): number;
};

export function createSlidingWindow(capacity: number): SlidingWindow {
  const byAge = new Float64Array(capacity);
  const ascending = new Float64Array(capacity);
  let added = 0;

  const size = () => Math.min(added, capacity);
  const values = () => ascending.subarray(0, size());
  const median = () => quantileOfSorted(values(), 0.5);

  function removeOldest(): void {
    const at = firstAtLeast(ascending, byAge[added % capacity] ?? Number.NaN);
    ascending.copyWithin(at, at + 1);
  }

  function insert(value: number, others: number): void {
    const at = firstAtLeast(ascending.subarray(0, others), value);
    ascending.copyWithin(at + 1, at, others);
    ascending[at] = value;
  }

  return {
    add(value) {
      if (added >= capacity) removeOldest();
      insert(value, Math.min(added, capacity - 1));
      byAge[added % capacity] = value;
      added += 1;
    },
    size,
    median,
    quantile: (share) => quantileOfSorted(values(), share),
    scale() {
      const fromMedian = 1.4826 * medianDistance(values(), median());
      return fromMedian > 0 ? fromMedian : 1.2533 * meanDistance(values(), median());
    },
  };
}

function firstAtLeast(ascending: Float64Array, value: number): number {
  let from = 0;
  let to = ascending.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((ascending[middle] ?? Number.NaN) < value) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Walks outwards from the centre, nearer side first, until half of the values are behind. */
function medianDistance(ascending: Float64Array, centre: number): number {
  let right = firstAtLeast(ascending, centre);
  let left = right - 1;
  let before = 0;
  let distance = 0;
  for (let passed = 0; passed <= ascending.length / 2; passed += 1) {
    const toLeft = centre - (ascending[left] ?? Number.NEGATIVE_INFINITY);
    const toRight = (ascending[right] ?? Number.POSITIVE_INFINITY) - centre;
    before = distance;
    distance = Math.min(toLeft, toRight);
    if (toLeft < toRight) left -= 1;
    else right += 1;
  }
  return ascending.length % 2 === 0 ? (before + distance) / 2 : distance;
}

function meanDistance(values: Float64Array, centre: number): number {
  return values.reduce((sum, value) => sum + Math.abs(value - centre), 0) / values.length;
}
