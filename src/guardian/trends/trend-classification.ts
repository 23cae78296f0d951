import { type Measured, sizeOf } from '../metrics/metric-window.ts';
import { mannKendallP, theilSenSlope } from '../statistics/monotone-trend.ts';
import { median } from '../statistics/statistics.ts';
import type { Departure } from './trend-state.ts';

export type Classification =
  | 'insufficient_data'
  | 'new_activity'
  | 'went_quiet'
  | 'shift_up'
  | 'shift_down'
  | 'spike'
  | 'drop'
  | 'rising'
  | 'falling'
  | 'volatile'
  | 'stable';

/** How many windows tell a direction, or restlessness. */
const RECENT_WINDOWS = 8;

/** The classification of a departure: counts that begin after none, and counts that end, have a name of their own. */
export function classifyDeparture(
  { direction, by }: Departure,
  current: Measured,
  baseline: readonly Measured[],
): Classification {
  const isCount = current.kind === 'count';
  if (direction === 'up') {
    if (isCount && baseline.every((window) => sizeOf(window) === 0)) return 'new_activity';
    return by === 'shift' ? 'shift_up' : 'spike';
  }
  if (isCount && current.count === 0) return 'went_quiet';
  return by === 'shift' ? 'shift_down' : 'drop';
}

/**
 * The name of the last 8 windows, oldest first. `z` is the z-score of the latest, which does not depart from its baseline. Fewer than 8
 * windows are stable, and so is a course that leads back towards the baseline.
 */
export function classifyCourse(of: {
  values: readonly number[];
  zScores: readonly number[];
  z: number;
}): Classification {
  const direction = courseOf(of.values.slice(-RECENT_WINDOWS));
  if (direction !== 0 && direction === Math.sign(of.z)) return direction > 0 ? 'rising' : 'falling';
  return isVolatile(of.zScores.slice(-RECENT_WINDOWS)) ? 'volatile' : 'stable';
}

/** 1, −1 or 0: a steady course is significant (p < .01, Mann-Kendall) and moves by a tenth of the middle value or more (our own). */
function courseOf(values: readonly number[]): number {
  if (values.length < RECENT_WINDOWS || mannKendallP(values) >= 0.01) return 0;
  const change = theilSenSlope(values) * (values.length - 1);
  return Math.abs(change) >= 0.1 * Math.abs(median(values)) ? Math.sign(change) : 0;
}

/** Our own: twice far up and twice far down; by chance that happens to normal scores about once in a thousand times. */
function isVolatile(zScores: readonly number[]): boolean {
  return zScores.filter((z) => z >= 1.75).length >= 2 && zScores.filter((z) => z <= -1.75).length >= 2;
}
