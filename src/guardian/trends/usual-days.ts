import { DAY_MS } from '../metrics/local-time.ts';
import { quantile } from '../statistics/statistics.ts';

const DAYS_KEPT = 28;
const LEAST_DAYS = 14;

/** The largest deviations of one day: of a window, and of the mean of many. */
export type Deviations = { z: number; shift: number };

/** The largest deviations of today, and of each of up to 28 earlier days in which anything was measured, oldest first. */
export type UsualDays = { fromMs: number; today: Deviations; earlier: readonly Deviations[] };

/**
 * The thresholds at which a deviation is unusual for its metric, taken from the largest deviation of each of the last 28
 * days (block maxima, Coles 2001, chapter 3). A z-score must reach 1.3 times the 90th percentile of those days, so that a
 * day or two of trouble do not hide the next. A shift wanders farther the busier a day is, so it must be a tenth larger than
 * on any of them. A daily or weekly event is thereby no news. `null` before fourteen days are known.
 */
export function barOf({ earlier }: UsualDays): Deviations | null {
  if (earlier.length < LEAST_DAYS) return null;
  return {
    z:
      1.3 *
      quantile(
        earlier.map(({ z }) => z),
        0.9,
      ),
    shift: 1.1 * Math.max(...earlier.map(({ shift }) => shift)),
  };
}

/** The same object where the day has seen larger deviations already. */
export function withDeviations(before: UsualDays | null, atMs: number, deviations: Deviations): UsualDays {
  if (before === null || atMs < before.fromMs)
    return { fromMs: atMs, today: deviations, earlier: before?.earlier ?? [] };
  if (atMs - before.fromMs >= DAY_MS) {
    return { fromMs: atMs, today: deviations, earlier: [...before.earlier, before.today].slice(-DAYS_KEPT) };
  }
  const { z, shift } = before.today;
  if (deviations.z <= z && deviations.shift <= shift) return before;
  return { ...before, today: { z: Math.max(z, deviations.z), shift: Math.max(shift, deviations.shift) } };
}
