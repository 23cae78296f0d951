import type { Measured, MetricWindow, TrendWindow } from './metric-window.ts';
import { TREND_WINDOWS } from './metric-window.ts';
import { isSameSeason } from './season.ts';
import { median } from './statistics.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MOST = 28;
const LEAST = 8;
/** A window less covered than this says too little of how much there was. */
export const LEAST_COVERAGE = 0.5;

export type BaselineKind = 'seasonal' | 'trailing';
type Starts = Record<BaselineKind, number[]>;
export type Baseline = { kind: BaselineKind; measured: readonly Measured[]; median: number };

/**
 * Starts of the windows a baseline may be made of, best first, for the window that starts at `fromMs`; none overlaps it. Seasonal: on
 * each of the last 28 days of the same kind at the same time, then an hour beside it. Trailing: the 28 before it, without the one just
 * before. Epoch milliseconds; `utcOffsetMs`, local time less UTC, tells which days are weekends.
 */
export function baselineStarts(of: { fromMs: number; window: TrendWindow; utcOffsetMs: number }): Starts {
  const { fromMs } = of;
  const lengthMs = TREND_WINDOWS[of.window];
  return {
    seasonal: seasonalStarts(fromMs + of.utcOffsetMs, lengthMs).map((start) => start - of.utcOffsetMs),
    trailing: Array.from({ length: MOST }, (_, index) => fromMs - (index + 2) * lengthMs),
  };
}

/**
 * The first 28 windows, at least 8, of which half was covered: seasonal ones, or else trailing ones; `null` where neither are enough.
 * Both lists best first. Our own: 28 is four weeks of days, 8 the least of which a median means something. `leftOut` tells of windows that may not count, because an open trend distorts them.
 */
export function selectBaseline(
  candidates: Record<BaselineKind, readonly MetricWindow[]>,
  leftOut: (window: MetricWindow) => boolean,
): Baseline | null {
  for (const kind of ['seasonal', 'trailing'] as const) {
    const measured = usable(candidates[kind], leftOut);
    if (measured.length >= LEAST) return { kind, measured, median: median(measured.map(({ value }) => value)) };
  }
  return null;
}

function usable(windows: readonly MetricWindow[], leftOut: (window: MetricWindow) => boolean): Measured[] {
  const measured: Measured[] = [];
  for (const window of windows) {
    if (window.measured === null || window.coverage < LEAST_COVERAGE || leftOut(window)) continue;
    measured.push(window.measured);
    if (measured.length === MOST) break;
  }
  return measured;
}

/** Windows longer than an hour are not taken an hour apart, nor those longer than a day a day apart: they would overlap. */
function seasonalStarts(localFromMs: number, lengthMs: number): number[] {
  const daysApart = Math.ceil(lengthMs / DAY_MS);
  const hourShifts = lengthMs > HOUR_MS ? [0] : [0, -1, 1];
  const days = Array.from({ length: Math.floor(28 / daysApart) }, (_, index) => (index + 1) * daysApart);
  return hourShifts
    .flatMap((shift) => days.map((day) => localFromMs - day * DAY_MS + shift * HOUR_MS))
    .filter((start) => isSameSeason(start, localFromMs));
}
