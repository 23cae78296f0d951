import { shiftOf } from './ewma.ts';
import { quantile } from './statistics.ts';

const DAY_MS = 86_400_000;
const KEPT = 500;
const LEAST_OWN_HISTORY = 100;
const LEAST_THRESHOLD = 3.5;
const SHIFT_LIMIT = 3.7;
const CALM_Z = 1.75;
const CALM_SHIFT = 1.5;
const CALM_WINDOWS = 3;

/** A window this far out needs no second one to be believed. */
export const SEVERE_Z = 6;

export type Direction = 'up' | 'down';

/** What opens a trend: one window far out, or many a little to the same side. */
export type Departure = { direction: Direction; by: 'spike' | 'shift' };

export type OpenTrend = Departure & { openedAtMs: number; calmWindows: number };

/**
 * What is remembered of one metric in one window length. `zScores`: of the last 500 whole windows, one after the other, oldest first;
 * `unusual`: whether the last three of them departed; `cooledAtMs`: when a trend in that direction may open again. Epoch ms.
 */
export type TrendState = {
  zScores: readonly number[];
  unusual: readonly boolean[];
  lastWholeMs: number;
  open: OpenTrend | null;
  cooledAtMs: Record<Direction, number>;
};

/** A window as it was just measured; `hasLeastEffect`: it differs by enough to be worth telling. */
export type Sighting = { atMs: number; lengthMs: number; z: number; hasLeastEffect: boolean };

export const newTrendState: TrendState = {
  zScores: [],
  unusual: [],
  lastWholeMs: Number.NEGATIVE_INFINITY,
  open: null,
  cooledAtMs: { up: Number.NEGATIVE_INFINITY, down: Number.NEGATIVE_INFINITY },
};

/**
 * The state after a window was measured. It may be measured more often than once per its length: a departure is seen at once, but
 * history, shift and calm count whole windows only, which do not overlap.
 */
export function nextTrendState(before: TrendState, sighting: Sighting): TrendState {
  const seen = remember(before, sighting);
  const departure = departureOf(before, sighting);
  if (seen.open === null) return departure === null ? seen : opened(seen, departure, sighting.atMs);
  if (departure !== null && departure.direction !== seen.open.direction)
    return opened(closed(seen, seen.open, sighting.atMs), departure, sighting.atMs);
  return seen.open.calmWindows >= CALM_WINDOWS ? closed(seen, seen.open, sighting.atMs) : seen;
}

/** How the window departs from what is usual for its metric; `null` where it does not, or by too little to be worth telling. */
export function departureOf(before: TrendState, { atMs, lengthMs, z, hasLeastEffect }: Sighting): Departure | null {
  if (!hasLeastEffect) return null;
  const shift = isWhole(before, { atMs, lengthMs }) ? shiftOf([...before.zScores, z]) : shiftOf(before.zScores);
  if (Math.abs(shift) >= SHIFT_LIMIT) return { direction: directionOf(shift), by: 'shift' };
  return Math.abs(z) >= thresholdOf(before.zScores) ? { direction: directionOf(z), by: 'spike' } : null;
}

/** From what |z| on a window is unusual for its metric: self-calibrated once 100 windows are known. */
export function thresholdOf(zScores: readonly number[]): number {
  if (zScores.length < LEAST_OWN_HISTORY) return LEAST_THRESHOLD;
  return Math.max(LEAST_THRESHOLD, 1.75 * quantile(zScores.slice(-KEPT).map(Math.abs), 0.99));
}

/** Whether a departure is more than a moment: two of the last three whole windows departed, or this one is far out. */
export function isConfirmed(after: TrendState, { z }: Sighting): boolean {
  return Math.abs(z) >= SEVERE_Z || after.unusual.filter((unusual) => unusual).length >= 2;
}

function remember(before: TrendState, sighting: Sighting): TrendState {
  if (!isWhole(before, sighting)) return before;
  const zScores = [...before.zScores, sighting.z].slice(-KEPT);
  const isCalm = Math.abs(sighting.z) < CALM_Z && Math.abs(shiftOf(zScores)) < CALM_SHIFT;
  return {
    ...before,
    zScores,
    unusual: [...before.unusual, departureOf(before, sighting) !== null].slice(-3),
    lastWholeMs: sighting.atMs,
    open: before.open && { ...before.open, calmWindows: isCalm ? before.open.calmWindows + 1 : 0 },
  };
}

function isWhole({ lastWholeMs }: TrendState, { atMs, lengthMs }: Pick<Sighting, 'atMs' | 'lengthMs'>): boolean {
  return atMs - lastWholeMs >= lengthMs;
}

function opened(state: TrendState, departure: Departure, atMs: number): TrendState {
  if (atMs < state.cooledAtMs[departure.direction]) return state;
  return { ...state, open: { ...departure, openedAtMs: atMs, calmWindows: 0 } };
}

function closed(state: TrendState, { direction }: OpenTrend, atMs: number): TrendState {
  return { ...state, open: null, cooledAtMs: { ...state.cooledAtMs, [direction]: atMs + DAY_MS } };
}

function directionOf(value: number): Direction {
  return value < 0 ? 'down' : 'up';
}
