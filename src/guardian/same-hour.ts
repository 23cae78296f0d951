import { isSameSeason } from './season.ts';
import { median, robustScale } from './statistics.ts';

const HOUR_MS = 3_600_000;
const KEPT_MS = 29 * 24 * HOUR_MS;
const LEAST_HOURS = 8;

/** Means of the clock hours of 28 days, by which a level is judged for its time of day. Times in local epoch milliseconds. */
export type SameHour = {
  add(observation: { atMs: number; value: number }): void;
  /** Middle and robust scale (Leys et al. 2013) of the comparable hours; `null` where fewer than 8 are known, which is our own. */
  expected(atMs: number): Expected | null;
};
type Expected = { median: number; scale: number };

export function createSameHour(): SameHour {
  const hours = new Map<number, { sum: number; count: number }>();
  let known: { hour: number; expected: Expected | null } | undefined;

  function expectedIn(hour: number): Expected | null {
    const means = [...hours]
      .filter(([earlier]) => isSameSeason(earlier * HOUR_MS, hour * HOUR_MS))
      .map(([, { sum, count }]) => sum / count);
    return means.length < LEAST_HOURS ? null : { median: median(means), scale: robustScale(means) };
  }

  function forgetBefore(hour: number): void {
    for (const earlier of hours.keys()) if (earlier < hour) hours.delete(earlier);
  }

  return {
    add({ atMs, value }) {
      const hour = Math.floor(atMs / HOUR_MS);
      const before = hours.get(hour);
      if (before === undefined) forgetBefore(hour - KEPT_MS / HOUR_MS);
      hours.set(hour, { sum: (before?.sum ?? 0) + value, count: (before?.count ?? 0) + 1 });
    },
    expected(atMs) {
      const hour = Math.floor(atMs / HOUR_MS);
      if (known?.hour !== hour) known = { hour, expected: expectedIn(hour) };
      return known.expected;
    },
  };
}
