export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Counts are stored for each minute, hour and day. */
export type Unit = 'minute' | 'hour' | 'day';
export const SPAN_MS: Record<Unit, number> = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS };

/** How long counts are kept: a span that begins or ends before that has to do so with an hour, or with a day. */
export const COUNTS_KEPT_MS: Record<Unit, number> = { minute: 35 * DAY_MS, hour: 366 * DAY_MS, day: 5 * 366 * DAY_MS };

export type Span = { fromMs: number; toMs: number };
export type Piece = Span & { unit: Unit };

/**
 * The units that make up a span between minute edges: whole days, whole hours at their sides, minutes at the edges. The hour and the day of
 * the latest minute are not summed up yet.
 */
export function piecesOf({ fromMs, toMs }: Span, latestMinuteMs = Number.POSITIVE_INFINITY): Piece[] {
  const hours = whole({ fromMs, toMs }, HOUR_MS, latestMinuteMs);
  const days = whole(hours, DAY_MS, latestMinuteMs);
  return [
    ...around('minute', { fromMs, toMs }, hours),
    ...around('hour', hours, days),
    { unit: 'day' as const, ...days },
  ].filter((piece) => piece.fromMs < piece.toMs);
}

/** The hours that begin in a span. */
export function hoursOf({ fromMs, toMs }: Span): Span[] {
  const first = Math.ceil(fromMs / HOUR_MS) * HOUR_MS;
  return Array.from({ length: Math.max(0, Math.ceil((toMs - first) / HOUR_MS)) }, (_, index) => ({
    fromMs: first + index * HOUR_MS,
    toMs: first + (index + 1) * HOUR_MS,
  }));
}

export function floorTo(atMs: number, unitMs: number): number {
  return Math.floor(atMs / unitMs) * unitMs;
}

/** The part of a span that whole units make up; an empty one at its end where none fits. */
function whole({ fromMs, toMs }: Span, unitMs: number, latestMs: number): Span {
  const first = Math.ceil(fromMs / unitMs) * unitMs;
  const end = Math.min(floorTo(toMs, unitMs), floorTo(latestMs, unitMs));
  return first < end ? { fromMs: first, toMs: end } : { fromMs: toMs, toMs };
}

function around(unit: Unit, outer: Span, inner: Span): Piece[] {
  return [
    { unit, fromMs: outer.fromMs, toMs: inner.fromMs },
    { unit, fromMs: inner.toMs, toMs: outer.toMs },
  ];
}
