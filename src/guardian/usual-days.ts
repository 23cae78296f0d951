import { quantile } from './statistics.ts';

const DAY_MS = 86_400_000;
const DAYS_KEPT = 28;
const LEAST_DAYS = 14;
const ORDINARY_SHARE = 0.9;
const MARGIN = 1.3;

/** The largest deviations of one day: of a window, and of the mean of many. */
export type Deviations = { z: number; shift: number };

/** The largest deviations of today, and of each of up to 28 earlier days in which anything was measured, oldest first. */
export type UsualDays = { fromMs: number; today: Deviations; earlier: readonly Deviations[] };

/**
 * What a deviation must reach to be out of the ordinary for its metric: 1.3 times the largest of nine days in ten, in the last 28 days
 * (block maxima, Coles 2001, chapter 3). What happens every day, or every week, is thereby no news. `null` before fourteen days are known.
 */
export function barOf({ earlier }: UsualDays): Deviations | null {
  if (earlier.length < LEAST_DAYS) return null;
  const bar = (values: number[]) => MARGIN * quantile(values, ORDINARY_SHARE);
  return { z: bar(earlier.map(({ z }) => z)), shift: bar(earlier.map(({ shift }) => shift)) };
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
