import { DAY_MS, daysAgo, isWeekend, MINUTE_MS } from '../../guardian/metrics/local-time.ts';
import { type Usual, usualOf } from '../../guardian/metrics/usual.ts';
import { createRemembered } from './remembered.ts';
import { HOUR_MS, type Span, type Windows } from './time-windows.ts';

const WINDOWS = 28;
const WEEK_DAYS = 7;
/** The hours of so many days are kept. */
const MOST_DAYS = 365;
/** Eight weeks have a Monday at noon eight times. */
const SAME_SHAPE_DAYS = 84;
const MOST_REMEMBERED = 64;
/** Minutes are kept for so long. */
const MINUTES_KEPT_DAYS = 34;

export type UsualIn = (span: Span) => Usual;

/** Windows of an hour and more begin and end with an hour, so that they are read from the counts of hours. */
export function unitOf(lengthMs: number): number {
  return lengthMs < HOUR_MS ? 5 * MINUTE_MS : HOUR_MS;
}

/**
 * The usual values in windows as long as a span and of its shape: at the same time on the wall, up to a day long on days of the same kind
 * (workday or weekend, at both ends), longer on the same weekday. Where too few of these are known, windows on any day stand for them. The
 * past is worked out once.
 */
export function createUsualWindows(windows: Pick<Windows, 'recorded'>): UsualIn {
  const remembered = createRemembered<string, Usual>(MOST_REMEMBERED);

  function usualAt(ends: readonly number[], lengthMs: number): Usual {
    return usualOf(ends.slice(0, WINDOWS).map((toMs) => windows.recorded({ fromMs: toMs - lengthMs, toMs })));
  }

  return ({ fromMs, toMs }) => {
    const unitMs = unitOf(toMs - fromMs);
    const lengthMs = Math.max(unitMs, Math.round((toMs - fromMs) / unitMs) * unitMs);
    const lastMs = Math.floor(toMs / unitMs) * unitMs;
    return remembered(`${lengthMs} ${lastMs}`, () => {
      const ends = endsBefore(lastMs, lengthMs);
      const shape = shapeOf(lastMs, lengthMs);
      const alike = usualAt(
        ends.filter((endMs) => shapeOf(endMs, lengthMs) === shape),
        lengthMs,
      );
      return alike.hasHistory ? alike : usualAt(ends, lengthMs);
    });
  };
}

/** Where earlier windows end, the last one first; none of them is within the window that ends last. */
function endsBefore(lastMs: number, lengthMs: number): number[] {
  const days = lengthMs / DAY_MS;
  const step = days <= 1 ? 1 : Math.ceil(days / WEEK_DAYS) * WEEK_DAYS;
  const most = days <= 1 ? (lengthMs < HOUR_MS ? MINUTES_KEPT_DAYS : SAME_SHAPE_DAYS) : MOST_DAYS - days;
  return Array.from({ length: Math.floor(most / step) }, (_, index) => daysAgo(lastMs, (index + 1) * step));
}

/** Tells whether a window begins and ends on a weekend. Windows longer than a day all end on the same weekday, so they need no shape. */
function shapeOf(endMs: number, lengthMs: number): string {
  return lengthMs > DAY_MS ? '' : `${isWeekend(endMs - lengthMs)} ${isWeekend(endMs - 1)}`;
}
