import { createSlidingWindow } from '../statistics/sliding-window.ts';
import { createNearestWindow } from './nearest-window.ts';

/** One value of a series. `atMs`: epoch milliseconds moved to local time, so that the hours are those of the desktop's people. */
export type Observation = { atMs: number; value: number };

/**
 * Aspects of a series that are compared with its past: the change from the value before, the value, how much the last 48 values vary,
 * the shape of the last twelve values, and that shape at the same time of day.
 */
export const CHANNELS = ['step', 'level', 'spread', 'shape', 'sameHour'] as const;
export type Channel = (typeof CHANNELS)[number];

/** How far each aspect is from the past, 0 or more, each in a unit of its own; 0 until there is a past. */
export type Deviations = Record<Channel, number>;

const HISTORY = 2000;
const LEAST_HISTORY = 30;
const SPREAD_OF = 48;
/** A standard deviation below this share of the range so far counts as no variation. */
const LEAST_SPREAD = 0.002;
/** Differences this small, relative to the largest value so far, are taken for rounding. */
const ROUNDING = 1e-6;
/** The median and the scale of 2000 values move slowly. */
const REFRESHED_EVERY = 8;

/** Measures the deviations of one series: give it one finite value at a time, in the order of time. */
export function createDeviations(): (observation: Observation) => Deviations {
  const step = createRobustDeviation(LEAST_HISTORY);
  const level = createRobustDeviation(LEAST_HISTORY);
  const spread = createRobustDeviation(SPREAD_OF);
  const spreadOf = createSpread();
  const nearest = createNearestWindow();
  let before: number | undefined;
  let largest = 0;

  return ({ atMs, value }) => {
    const change = value - (before ?? value);
    before = value;
    largest = Math.max(largest, Math.abs(value));
    const leastScale = ROUNDING * largest;
    const { anyTime, sameHour } = nearest({ atMs, value });
    const spreadNow = spreadOf(value);
    return {
      step: step({ value: change, leastScale }),
      level: level({ value, leastScale }),
      spread: spreadNow === null ? 0 : spread({ value: spreadNow, leastScale: ROUNDING }),
      shape: anyTime < leastScale ? 0 : anyTime,
      sameHour: sameHour < leastScale ? 0 : sameHour,
    };
  };
}

/** Distance from the median of the last 2000 values in robust standard deviations (Leys et al. 2013); 0 until enough are known. */
function createRobustDeviation(least: number): (input: { value: number; leastScale: number }) => number {
  const past = createSlidingWindow(HISTORY);
  let expected = { median: 0, scale: 0 };
  let known = 0;
  return ({ value, leastScale }) => {
    const isKnown = known >= least;
    if (known === least || (isKnown && known % REFRESHED_EVERY === 0))
      expected = { median: past.median(), scale: past.scale() };
    past.add(value);
    known += 1;
    const scale = Math.max(expected.scale, leastScale);
    return !isKnown || scale === 0 ? 0 : Math.abs(value - expected.median) / scale;
  };
}

/** Logarithm of the standard deviation of the last 48 values, so that half and double are as far apart; `null` before any change. */
function createSpread(): (value: number) => number | null {
  const recent: number[] = [];
  let range = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY };
  return (value) => {
    recent.push(value);
    if (recent.length > SPREAD_OF) recent.shift();
    range = { from: Math.min(range.from, value), to: Math.max(range.to, value) };
    const floor = LEAST_SPREAD * (range.to - range.from);
    return floor === 0 ? null : Math.log(varianceOf(recent) + floor * floor) / 2;
  };
}

function varianceOf(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  const centre = sum / values.length;
  let squares = 0;
  for (const value of values) squares += (value - centre) * (value - centre);
  return squares / values.length;
}
