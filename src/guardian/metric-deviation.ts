import { countDispersion, countZ } from './count-deviation.ts';
import { type Dispersion, NO_DISPERSION } from './dispersion.ts';
import { type Measured, sizeOf } from './metric-window.ts';
import { ratioDispersion, ratioZ } from './ratio-deviation.ts';
import { durationZ, entropyZ, gaugeZ } from './robust-deviation.ts';
import { median } from './statistics.ts';

/** How unusual a window is after those of its baseline, all of one metric: a z-score in ±8, positive for more. */
export function metricZ(current: Measured, baseline: readonly Measured[], known: Dispersion = NO_DISPERSION): number {
  const values = baseline.map(({ value }) => value);
  switch (current.kind) {
    case 'count':
      return countZ(
        current.count,
        baseline.flatMap((window) => (window.kind === 'count' ? window.count : [])),
        known,
      );
    case 'ratio':
      return ratioZ(
        current,
        baseline.flatMap((window) => (window.kind === 'ratio' ? window : [])),
        known,
      );
    case 'duration':
      return durationZ(current.value, values);
    case 'gauge':
      return gaugeZ(current.value, values);
    case 'entropy':
      return entropyZ(current.value, values);
  }
}

/** What a window adds to the dispersion of its metric; nothing for what is measured against the spread of its baseline. */
export function dispersionOf(current: Measured, baseline: readonly Measured[]): Dispersion {
  if (current.kind === 'count') {
    return countDispersion(
      current.count,
      baseline.flatMap((window) => (window.kind === 'count' ? window.count : [])),
    );
  }
  if (current.kind === 'ratio') {
    return ratioDispersion(
      current,
      baseline.flatMap((window) => (window.kind === 'ratio' ? window : [])),
    );
  }
  return NO_DISPERSION;
}

/** Whether the distance from the baseline is worth telling: 3 events, 5 points, a quarter and 100 ms, or half a bit. Our own. */
export function hasLeastEffect(current: Measured, baseline: readonly Measured[]): boolean {
  const distance = Math.abs(sizeOf(current) - median(baseline.map(sizeOf)));
  switch (current.kind) {
    case 'count':
      return distance >= 3;
    case 'ratio':
    case 'gauge':
      return distance >= 0.05;
    case 'duration':
      return distance >= 100 && distance >= 0.25 * median(baseline.map(sizeOf));
    case 'entropy':
      return distance >= 0.5;
  }
}
