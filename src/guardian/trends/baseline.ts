import { daysAgo, HOUR_MS, isWeekend, type UtcOffset } from '../metrics/local-time.ts';
import type { Measured, MetricWindow, TrendWindow } from '../metrics/metric-window.ts';
import { TREND_WINDOWS } from '../metrics/metric-window.ts';
import { median } from '../statistics/statistics.ts';

const WEEK_MS = 7 * 24 * HOUR_MS;
const MOST = 28;
const LEAST = 8;
const LEAST_OF_WEEKS = 4;
/** Rates divide by at least this up-time, so a window with less of it is not measured. */
const LEAST_UP_MS = HOUR_MS / 4;
/** Two windows are comparable if their up-times differ by this factor at most. */
const COMPARABLE = 2;

export type BaselineKind = 'seasonal' | 'trailing';
type Starts = Record<BaselineKind, number[]>;
/** `upMs`: the median up-time of its windows; `median`: that of their values. */
export type Baseline = { kind: BaselineKind; measured: readonly Measured[]; median: number; upMs: number };

/**
 * Starts of the windows a baseline may be made of, best first, for the window that starts at `fromMs`; none overlaps it. Seasonal: on
 * each of the last 28 days of the same kind at the same time, then an hour beside it; none for a week or more, which has all kinds of
 * days in it. Trailing: the 28 before it, without the one just before. The same time is that on the wall, by the offset that held then.
 */
export function baselineStarts(of: { fromMs: number; window: TrendWindow; utcOffset?: UtcOffset }): Starts {
  const { fromMs } = of;
  const lengthMs = TREND_WINDOWS[of.window];
  return {
    seasonal: seasonalStarts(fromMs, lengthMs, of.utcOffset),
    trailing: Array.from({ length: MOST }, (_, index) => fromMs - (index + 2) * lengthMs),
  };
}

/** Up-time from which on a window is measured: half of it, or a quarter of an hour. */
export function leastUpMs(window: TrendWindow): number {
  return Math.min(TREND_WINDOWS[window] / 2, LEAST_UP_MS);
}

/**
 * The baseline of a window: the first 28 windows that are comparable with it, seasonal ones, or else trailing ones; `null` where
 * neither are enough. Both lists best first. A window is comparable if the daemon was up in it for half to twice as long as in the
 * current one: a laptop is compared with itself on days of about as much use, and never with a gap. `upMs`: of the current window;
 * `null` where it is not measured, and any measured window serves. `leftOut`: windows that may not count, because an open trend
 * distorts them. Our own: 28 is four weeks of days, 8 the least of which a median means something; of weeks and months, which come
 * seldom, 4 must do, whose z-scores say how little 4 are.
 */
export function selectBaseline(
  candidates: Record<BaselineKind, readonly MetricWindow[]>,
  of: { window: TrendWindow; upMs: number | null; leftOut(window: MetricWindow): boolean },
): Baseline | null {
  const least = TREND_WINDOWS[of.window] < WEEK_MS ? LEAST : LEAST_OF_WEEKS;
  for (const kind of ['seasonal', 'trailing'] as const) {
    const { measured, upMs } = usable(candidates[kind], of);
    if (measured.length < least) continue;
    return { kind, measured, median: median(measured.map(({ value }) => value)), upMs: median(upMs) };
  }
  return null;
}

type Usable = { measured: Measured[]; upMs: number[] };

function usable(windows: readonly MetricWindow[], of: Parameters<typeof selectBaseline>[1]): Usable {
  const found: Usable = { measured: [], upMs: [] };
  const fromMs = Math.max(leastUpMs(of.window), (of.upMs ?? 0) / COMPARABLE);
  const toMs = of.upMs === null ? Number.POSITIVE_INFINITY : of.upMs * COMPARABLE;
  for (const window of windows) {
    const { measured, upMs } = window;
    if (measured === null || upMs < fromMs || upMs > toMs || of.leftOut(window)) continue;
    found.measured.push(measured);
    found.upMs.push(upMs);
    if (found.measured.length === MOST) break;
  }
  return found;
}

/** Windows longer than an hour are not taken an hour apart: they would overlap. */
function seasonalStarts(fromMs: number, lengthMs: number, offset?: UtcOffset): number[] {
  if (lengthMs >= WEEK_MS) return [];
  const hourShifts = lengthMs > HOUR_MS ? [0] : [0, -1, 1];
  const days = Array.from({ length: 28 }, (_, index) => index + 1);
  return hourShifts
    .flatMap((shift) => days.map((day) => daysAgo(fromMs, day, offset) + shift * HOUR_MS))
    .filter((start) => isWeekend(start, offset) === isWeekend(fromMs, offset));
}
