import { countZ } from './count-deviation.ts';
import { type Measured, sizeOf } from './metric-window.ts';
import { ratioZ } from './ratio-deviation.ts';
import { durationZ, entropyZ, gaugeZ } from './robust-deviation.ts';
import { median } from './statistics.ts';

/** How unusual a window is after those of its baseline, all of one metric: a z-score in ±8, positive for more. */
export function metricZ(current: Measured, baseline: readonly Measured[]): number {
  const values = baseline.map(({ value }) => value);
  switch (current.kind) {
    case 'count':
      return countZ(
        current.count,
        baseline.flatMap((window) => (window.kind === 'count' ? window.count : [])),
      );
    case 'ratio':
      return ratioZ(
        current,
        baseline.flatMap((window) => (window.kind === 'ratio' ? window : [])),
      );
    case 'duration':
      return durationZ(current.value, values);
    case 'gauge':
      return gaugeZ(current.value, values);
    case 'entropy':
      return entropyZ(current.value, values);
  }
}

/** Whether the distance from the baseline is worth telling: 3 events, 5 points, a quarter and 100 ms, or half a bit. */
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
