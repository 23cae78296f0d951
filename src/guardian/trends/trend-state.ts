import { DAY_MS } from '../metrics/local-time.ts';
import { type Dispersion, NO_DISPERSION, withWindow } from '../statistics/dispersion.ts';
import { shiftOf } from '../statistics/ewma.ts';
import { quantile } from '../statistics/statistics.ts';
import { barOf, type Deviations, type UsualDays, withDeviations } from './usual-days.ts';

const KEPT = 500;
const LEAST_OWN_HISTORY = 100;
const LEAST_THRESHOLD = 3.5;
const LEAST_SHIFT = 3.7;
const CALM_Z = 1.75;
const CALM_SHIFT = 1.5;
const CALM_WINDOWS = 3;
const RECENT_WINDOWS = 3;
const SHIFT_MEMORY_WINDOWS = 7;
/** z-scores before these weigh less than a hundred-thousandth together in a shift. */
const FELT_WINDOWS = 40;

/**
 * One window this far out is believed without a second one. This far from the middle no model of the usual values fits well:
 * in simulated histories most single windows between 6 and 7 were false alarms.
 */
const ALONE_Z = 7;

export type Direction = 'up' | 'down';

/** The cause that opens a trend: one window far out (spike), or many windows a little to the same side (shift). */
export type Departure = { direction: Direction; by: 'spike' | 'shift' };

export type OpenTrend = Departure & {
  openedAtMs: number;
  calmWindows: number;
  isConfirmed: boolean;
  /** As it was before. */
  dispersion: Dispersion;
};

/**
 * The state of one metric in one window length; it can be stored as JSON. `zScores`: of the latest whole windows, oldest
 * first; `own`: the sizes of the last 500 z-scores and shifts; `unusualAtMs`: the ends of the departing windows among the
 * last three; `cooledAtMs`: when a trend in that direction may open again. Epoch ms; `null` is never.
 */
export type TrendState = {
  zScores: readonly number[];
  own: { z: readonly number[]; shift: readonly number[] };
  unusualAtMs: readonly number[];
  lastWholeMs: number | null;
  open: OpenTrend | null;
  cooledAtMs: Record<Direction, number | null>;
  dispersion: Dispersion;
  days: UsualDays | null;
};

/**
 * A window as it was just measured. `hasLeastEffect`: it differs by enough to be worth telling, to the side that its z-score names.
 * `standsAlone`: if it is far out, it needs no second window to be believed.
 */
export type Sighting = {
  atMs: number;
  lengthMs: number;
  z: number;
  hasLeastEffect: boolean;
  standsAlone: boolean;
  dispersion: Dispersion;
};

export const newTrendState: TrendState = {
  zScores: [],
  own: { z: [], shift: [] },
  unusualAtMs: [],
  lastWholeMs: null,
  open: null,
  cooledAtMs: { up: null, down: null },
  dispersion: NO_DISPERSION,
  days: null,
};

/**
 * The state after a window was measured. It may be measured more often than once per its length: a departure is seen at once, but
 * history, shift and calm count whole windows only, which do not overlap.
 */
export function nextTrendState(before: TrendState, sighting: Sighting): TrendState {
  const departure = departureOf(before, sighting);
  const seen = remember(before, sighting, departure);
  if (seen.open === null)
    return departure === null ? seen : opened(seen, departure, { sighting, dispersion: before.dispersion });
  if (departure !== null && departure.direction !== seen.open.direction)
    return opened(closed(seen, seen.open, sighting.atMs), departure, { sighting, dispersion: before.dispersion });
  return seen.open.calmWindows >= CALM_WINDOWS ? closed(seen, seen.open, sighting.atMs) : seen;
}

/** The state after a window in which there was too little to measure: a trend nobody has seen for three windows, and a day, is over. */
export function unseenTrendState(
  before: TrendState,
  { atMs, lengthMs }: Pick<Sighting, 'atMs' | 'lengthMs'>,
): TrendState {
  const lastSeenMs = Math.max(before.lastWholeMs ?? 0, before.open?.openedAtMs ?? 0);
  const isOver = atMs - lastSeenMs >= Math.max(DAY_MS, CALM_WINDOWS * lengthMs);
  return before.open !== null && isOver ? closed(before, before.open, atMs) : before;
}

/** How the window departs from the usual values of its metric; `null` if it does not, or by too little to be worth telling. */
export function departureOf(before: TrendState, sighting: Sighting): Departure | null {
  const { z, hasLeastEffect } = sighting;
  if (!hasLeastEffect) return null;
  const limits = limitsOf(before);
  const shift = shiftWith(before, sighting);
  if (Math.abs(shift) >= limits.shift && Math.sign(shift) === Math.sign(z))
    return { direction: directionOf(shift), by: 'shift' };
  return Math.abs(z) >= limits.z ? { direction: directionOf(z), by: 'spike' } : null;
}

/**
 * Windows that overlap the one which opened a trend are judged as that one was: it must not make itself look usual. So are the next
 * ones that decide whether the trend is more than a moment.
 */
export function dispersionFor(
  { open, dispersion }: TrendState,
  { atMs, lengthMs }: Pick<Sighting, 'atMs' | 'lengthMs'>,
): Dispersion {
  const windows = open?.isConfirmed === false ? RECENT_WINDOWS : 1;
  return open !== null && Math.abs(atMs - open.openedAtMs) < windows * lengthMs ? open.dispersion : dispersion;
}

/**
 * The departure that the window still shows of the open trend. `null` where there is none, where the window lies to its other side or too close to
 * the middle, or where it is calm; a trend that opened as a shift may be calm in one window while its mean is not.
 */
export function stillShown(
  { before, after }: { before: TrendState; after: TrendState },
  sighting: Sighting,
): Departure | null {
  const { open } = after;
  if (open === null || !sighting.hasLeastEffect || directionOf(sighting.z) !== open.direction) return null;
  if (Math.abs(sighting.z) >= CALM_Z) return open;
  return open.by === 'shift' && towards(open.direction, shiftWith(before, sighting)) >= CALM_SHIFT ? open : null;
}

/** Whether a window is far enough from the middle, and by enough, to be listed for the course of the windows before it. */
export function isBeyondCalm({ z, hasLeastEffect }: Sighting): boolean {
  return hasLeastEffect && Math.abs(z) >= CALM_Z;
}

function shiftWith(before: TrendState, sighting: Sighting): number {
  return shiftOf(isWhole(before, sighting) ? [...before.zScores, sighting.z] : before.zScores);
}

/**
 * From what |z| on a window is unusual for its metric: calibrated by the metric's own past once 100 windows are known, as the scores of
 * Netdata's anomaly detection are; the quantile, its factor and the least are our own.
 */
export function thresholdOf({ own }: Pick<TrendState, 'own'>): number {
  return calibrated(LEAST_THRESHOLD, own.z);
}

/**
 * From what shift on the metric is out of control. 3.7 is for windows that do not depend on each other; busy ones come in rows, which
 * makes their mean wander (Lu & Reynolds 1999), so that this limit is calibrated as the threshold is, by shifts from before the one
 * that is felt now.
 */
export function shiftLimitOf({ own }: Pick<TrendState, 'own'>): number {
  return calibrated(LEAST_SHIFT, own.shift.slice(0, -FELT_WINDOWS));
}

function calibrated(least: number, own: readonly number[]): number {
  return own.length < LEAST_OWN_HISTORY ? least : Math.max(least, 1.75 * quantile(own, 0.99));
}

/**
 * Whether a departure is more than a moment: two of the last three whole windows departed, or this one is far out. Nothing is while
 * there are not yet fourteen days by which to tell what is usual.
 */
export function isConfirmed(after: TrendState, { z, standsAlone }: Pick<Sighting, 'z' | 'standsAlone'>): boolean {
  if (after.days === null || barOf(after.days) === null) return false;
  return (standsAlone && Math.abs(z) >= ALONE_Z) || after.unusualAtMs.length >= 2;
}

const ownLimits = new WeakMap<TrendState['own'], Deviations>();
const bars = new WeakMap<UsualDays['earlier'], Deviations>();

/** Both worked out once for each history: a window is measured up to an hour's worth of minutes before its history moves on. */
function limitsOf({ own, days }: TrendState): Deviations {
  const calibrated = ownLimits.get(own) ?? { z: thresholdOf({ own }), shift: shiftLimitOf({ own }) };
  ownLimits.set(own, calibrated);
  const bar = days === null ? NO_BAR : (bars.get(days.earlier) ?? barOf(days) ?? NO_BAR);
  if (days !== null) bars.set(days.earlier, bar);
  return { z: Math.max(calibrated.z, bar.z), shift: Math.max(calibrated.shift, bar.shift) };
}

const NO_BAR: Deviations = { z: 0, shift: 0 };

function remember(before: TrendState, sighting: Sighting, departure: Departure | null): TrendState {
  const { atMs, lengthMs, z } = sighting;
  const shift = shiftWith(before, sighting);
  const usual = isDistorted(before, atMs)
    ? before
    : withUsual(before, sighting, { shift, departed: departure !== null });
  if (!isWhole(before, sighting)) return usual;
  const unusualAtMs = before.unusualAtMs.filter((unusual) => unusual > atMs - RECENT_WINDOWS * lengthMs);
  const after = {
    ...usual,
    zScores: [...before.zScores, rounded(z)].slice(-FELT_WINDOWS),
    unusualAtMs: isWitness(before, sighting, departure) ? [...unusualAtMs, atMs] : unusualAtMs,
    lastWholeMs: atMs,
  };
  if (before.open === null) return after;
  const isBelieved = before.open.isConfirmed || isConfirmed(after, sighting);
  const { direction } = before.open;
  // A window far out to the other side is calm too, because the trend has ended.
  const isCalm = towards(direction, z) < CALM_Z && towards(direction, shift) < CALM_SHIFT;
  const calmWindows = isCalm ? before.open.calmWindows + 1 : 0;
  const open = { ...before.open, calmWindows, isConfirmed: isBelieved };
  // On confirmation, the dispersion goes back to its value when the trend opened.
  return isBelieved && !before.open.isConfirmed ? { ...after, open, dispersion: open.dispersion } : { ...after, open };
}

/** The first day of a confirmed trend does not count as usual, neither here nor in baselines. */
function isDistorted({ open }: TrendState, atMs: number): boolean {
  return open?.isConfirmed === true && atMs - open.openedAtMs < DAY_MS;
}

/**
 * Whether a window makes a departure more believable. A window far out does. A shift lasts for about seven windows on
 * average, (2 − λ)/λ of them, for any cause; it is believed only after those, and only from windows that are not calm
 * themselves.
 */
function isWitness(
  before: TrendState,
  { atMs, lengthMs, z, hasLeastEffect }: Sighting,
  departure: Departure | null,
): boolean {
  if (departure === null || !hasLeastEffect) return false;
  if (Math.abs(z) >= limitsOf(before).z) return true;
  const hasLasted = before.open !== null && atMs - before.open.openedAtMs >= SHIFT_MEMORY_WINDOWS * lengthMs;
  return hasLasted && towards(departure.direction, z) >= CALM_Z;
}

/** How far it goes is noted of every window; how far it goes usually, of whole ones that did not depart. */
function withUsual(
  before: TrendState,
  sighting: Sighting,
  { shift, departed }: { shift: number; departed: boolean },
): TrendState {
  const { atMs, lengthMs, z, hasLeastEffect } = sighting;
  const deviations = hasLeastEffect ? { z: Math.abs(z), shift: Math.abs(shift) } : NO_BAR;
  const days = withDeviations(before.days, atMs, deviations);
  if (!isWhole(before, sighting)) return days === before.days ? before : { ...before, days };
  const own = departed
    ? before.own
    : {
        z: [...before.own.z, rounded(Math.abs(z))].slice(-KEPT),
        shift: [...before.own.shift, rounded(Math.abs(shift))].slice(-KEPT),
      };
  return { ...before, days, own, dispersion: withWindow(before.dispersion, sighting.dispersion, lengthMs) };
}

function rounded(value: number): number {
  return Math.round(100 * value) / 100;
}

/** A window that ends before the latest one means that the clock was set back, and history goes on from there. */
function isWhole({ lastWholeMs }: TrendState, { atMs, lengthMs }: Pick<Sighting, 'atMs' | 'lengthMs'>): boolean {
  return lastWholeMs === null || atMs < lastWholeMs || atMs - lastWholeMs >= lengthMs;
}

function opened(
  state: TrendState,
  departure: Departure,
  { sighting, dispersion }: { sighting: Sighting; dispersion: Dispersion },
): TrendState {
  const { atMs } = sighting;
  if (atMs < (state.cooledAtMs[departure.direction] ?? atMs)) return state;
  const isBelieved = isConfirmed(state, sighting);
  const open = { ...departure, openedAtMs: atMs, calmWindows: 0, isConfirmed: isBelieved, dispersion };
  return { ...state, open, dispersion: isBelieved ? dispersion : state.dispersion };
}

function closed(state: TrendState, { direction }: OpenTrend, atMs: number): TrendState {
  return { ...state, open: null, cooledAtMs: { ...state.cooledAtMs, [direction]: atMs + DAY_MS } };
}

function directionOf(value: number): Direction {
  return value < 0 ? 'down' : 'up';
}

/** How far a value goes in a direction; negative where it goes the other way. */
function towards(direction: Direction, value: number): number {
  return direction === 'up' ? value : -value;
}
