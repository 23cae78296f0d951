import { type Counted, countDispersion, countZ } from '../statistics/count-deviation.ts';
import { type Dispersion, NO_DISPERSION } from '../statistics/dispersion.ts';
import { ratioDispersion, type Share, zOfRatio } from '../statistics/ratio-deviation.ts';
import { entropyZ, gaugeZ, zOfDuration } from '../statistics/robust-deviation.ts';
import { median } from '../statistics/statistics.ts';
import { type Measured, sizeOf, sizesAt } from './metric-window.ts';

/** How unusual a window is after those of its baseline, all of one metric: a z-score in ±8, positive for more. */
export function metricZ(current: Measured, baseline: readonly Measured[], known: Dispersion = NO_DISPERSION): number {
  const values = baseline.map(({ value }) => value);
  switch (current.kind) {
    case 'count':
      return countZ(current, countsIn(baseline), known);
    case 'ratio':
      return ratioZFunction(baseline, known)(current);
    case 'duration':
      return zOfDuration(values)(current.value);
    case 'gauge':
      return gaugeZ(current.value, values);
    case 'entropy':
      return entropyZ(current.value, values);
  }
}

const ratioZFunctions = new WeakMap<readonly Measured[], (current: Share) => number>();

/** Worked out once for a baseline that many windows are compared with. Trends, which know a dispersion, have a new baseline each time. */
function ratioZFunction(baseline: readonly Measured[], known: Dispersion): (current: Share) => number {
  if (known !== NO_DISPERSION) return zOfRatio(sharesIn(baseline), known);
  const zOf = ratioZFunctions.get(baseline) ?? zOfRatio(sharesIn(baseline));
  ratioZFunctions.set(baseline, zOf);
  return zOf;
}

/** The part of a window in the dispersion of its metric; nothing for kinds that are measured against the spread of their baseline. */
export function dispersionOf(current: Measured, baseline: readonly Measured[]): Dispersion {
  if (current.kind === 'count') return countDispersion(current, countsIn(baseline));
  return current.kind === 'ratio' ? ratioDispersion(current, sharesIn(baseline)) : NO_DISPERSION;
}

function countsIn(baseline: readonly Measured[]): Counted[] {
  return baseline.flatMap((window) => (window.kind === 'count' ? window : []));
}

function sharesIn(baseline: readonly Measured[]): Share[] {
  return baseline.flatMap((window) => (window.kind === 'ratio' ? window : []));
}

/**
 * Whether the distance from the median of the baseline is worth telling and lies to the side of the z-score: 3 events, 5 points, a
 * quarter and 100 ms, or half a bit. A skewed baseline has its median and its mean, which z-scores of counts go by, apart. Our own.
 */
export function hasLeastEffect(
  current: Measured,
  { baseline, z }: { baseline: readonly Measured[]; z: number },
): boolean {
  const middle = median(sizesAt(current, baseline));
  const distance = sizeOf(current) - middle;
  return Math.sign(distance) === Math.sign(z) && isWorthTelling(current.kind, Math.abs(distance), middle);
}

function isWorthTelling(kind: Measured['kind'], distance: number, middle: number): boolean {
  switch (kind) {
    case 'count':
      return distance >= 3;
    case 'ratio':
    case 'gauge':
      return distance >= 0.05;
    case 'duration':
      return distance >= 100 && distance >= 0.25 * middle;
    case 'entropy':
      return distance >= 0.5;
  }
}
