export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Local time less UTC at a moment, in ms. */
export type UtcOffset = (atMs: number) => number;

export const localOffset: UtcOffset = (atMs) => -new Date(atMs).getTimezoneOffset() * MINUTE_MS;

/** The moment some days before another, at the same time on the wall, by the offset that held then. */
export function daysAgo(atMs: number, days: number, offset: UtcOffset = localOffset): number {
  return atLocal(atMs + offset(atMs) - days * DAY_MS, offset);
}

/** The midnight with which the day of a moment began. */
export function startOfDay(atMs: number, offset: UtcOffset = localOffset): number {
  const localMs = atMs + offset(atMs);
  return atLocal(Math.floor(localMs / DAY_MS) * DAY_MS, offset);
}

/** So many days before the one that begins at a midnight, oldest first. A day on which the clock changes is shorter or longer. */
export function daysBefore(
  dayMs: number,
  count: number,
  offset: UtcOffset = localOffset,
): { fromMs: number; toMs: number }[] {
  const days: { fromMs: number; toMs: number }[] = [];
  let toMs = daysAgo(dayMs, 0, offset);
  for (let ago = 1; ago <= count; ago += 1) {
    const fromMs = daysAgo(dayMs, ago, offset);
    days.push({ fromMs, toMs });
    toMs = fromMs;
  }
  return days.reverse();
}

export function isWeekend(atMs: number, offset: UtcOffset = localOffset): boolean {
  // The epoch began on a Thursday.
  const weekday = (Math.floor((atMs + offset(atMs)) / DAY_MS) + 4) % 7;
  return weekday === 0 || weekday === 6;
}

/** The moment at which clocks on the wall show a time, given as UTC. */
function atLocal(wallMs: number, offset: UtcOffset): number {
  return wallMs - offset(wallMs - offset(wallMs));
}
