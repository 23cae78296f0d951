import { type Measured, sizeOf } from '../metrics/metric-window.ts';
import type { Departure } from './trend-state.ts';

export type Classification =
  | 'insufficient_data'
  | 'new_activity'
  | 'went_quiet'
  | 'shift_up'
  | 'shift_down'
  | 'spike'
  | 'drop'
  | 'stable';

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
