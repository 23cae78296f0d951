import { createSameHour } from './same-hour.ts';
import { createSlidingWindow } from './sliding-window.ts';

const HISTORY = 2000;
const LEAST_HISTORY = 30;

/** An observation with what the channels compare. `level`: mean of the last hour; `leastScale`: differences below are rounding. */
export type Input = { atMs: number; value: number; step: number; level: number; leastScale: number };

/** Distance from what was to be expected, in robust standard deviations (Leys et al. 2013); `null` until there is a past. */
export type Deviation = (input: Input) => number | null;

/** One feature against its own last 2000 values. */
export function createFromOwnPast(feature: (input: Input) => number): Deviation {
  const past = createSlidingWindow(HISTORY);
  return (input) => {
    const value = feature(input);
    const expected = { median: past.median(), scale: past.scale() };
    const known = past.size() >= LEAST_HISTORY;
    past.add(value);
    return known ? distance(value, expected, input.leastScale) : null;
  };
}

/** The level against the same hours of earlier days. */
export function createFromSameHour(): Deviation {
  const hours = createSameHour();
  return (input) => {
    const expected = hours.expected(input.atMs);
    hours.add(input);
    return expected === null ? null : distance(input.level, expected, input.leastScale);
  };
}

function distance(value: number, expected: { median: number; scale: number }, leastScale: number): number {
  const scale = Math.max(expected.scale, leastScale);
  return scale === 0 ? 0 : Math.abs(value - expected.median) / scale;
}
