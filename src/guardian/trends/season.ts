const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Whether an earlier moment is comparable with now: a whole number of days ago, up to 28, give or take one hour, and on the same
 * kind of day, workday or weekend. Our own: the rhythm of people's days and weeks. Both in epoch milliseconds moved to local time, so that hours and days are those on the wall.
 */
export function isSameSeason(earlierMs: number, nowMs: number): boolean {
  const hours = Math.floor(nowMs / HOUR_MS) - Math.floor(earlierMs / HOUR_MS);
  const days = Math.round(hours / 24);
  const offHour = Math.abs(hours - 24 * days) <= 1;
  return days >= 1 && days <= 28 && offHour && isWeekend(earlierMs) === isWeekend(nowMs);
}

/** The epoch began on a Thursday. */
function isWeekend(localMs: number): boolean {
  const weekday = (Math.floor(localMs / DAY_MS) + 4) % 7;
  return weekday === 0 || weekday === 6;
}
