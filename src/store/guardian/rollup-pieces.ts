import type { RollupSpan, Span } from './rollups.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The length of the rows of each span. */
export const SPAN_MS: Record<RollupSpan, number> = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS };

export type Piece = Span & { span: RollupSpan };

/**
 * The rows that make up a span between minute edges: whole days, whole hours at their sides, minutes at the edges. The hour and the
 * day of the latest minute are not summed up yet.
 */
export function rollupPieces({ fromMs, toMs }: Span, latestMinuteMs: number): Piece[] {
  const hours = whole({ fromMs, toMs }, HOUR_MS, latestMinuteMs);
  const days = whole(hours, DAY_MS, latestMinuteMs);
  return [
    ...around('minute', { fromMs, toMs }, hours),
    ...around('hour', hours, days),
    { span: 'day' as const, ...days },
  ].filter((piece) => piece.fromMs < piece.toMs);
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

function around(span: RollupSpan, outer: Span, inner: Span): Piece[] {
  return [
    { span, fromMs: outer.fromMs, toMs: inner.fromMs },
    { span, fromMs: inner.toMs, toMs: outer.toMs },
  ];
}
