import { DAY_MS, HOUR_MS, MINUTE_MS, type Span } from './windows.ts';

/** Steps that divide an hour or a day, so that every day has the same ones. */
const STEPS_MS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 480, 720, 1_440].map((minutes) => minutes * MINUTE_MS);

/** Equal parts of a window, oldest first. The last one may go on. */
export type Grid = { stepMs: number; spans: readonly Span[] };

/**
 * Cuts a span into at most so many parts of a length that people reckon in. Parts begin at a multiple of their length. Where local
 * time differs from UTC by whole hours, they do so in local time, so that a part of a day is a day of the person. `unitMs`: no part
 * is shorter.
 */
export function gridOver(span: Span, { points, unitMs }: { points: number; unitMs: number }): Grid {
  const stepMs = STEPS_MS.find((each) => each >= unitMs && isEnough(span, each, points)) ?? longStepMs(span, points);
  const startMs = startOf(span.fromMs, stepMs);
  const count = Math.ceil((span.toMs - startMs) / stepMs);
  const spans = Array.from({ length: count }, (_, index) => {
    const fromMs = startMs + index * stepMs;
    return { fromMs, toMs: Math.min(span.toMs, fromMs + stepMs) };
  });
  return { stepMs, spans };
}

function isEnough(span: Span, stepMs: number, points: number): boolean {
  return Math.ceil((span.toMs - startOf(span.fromMs, stepMs)) / stepMs) <= points;
}

/** Whole days, one more than would do if the span began with a step. */
function longStepMs(span: Span, points: number): number {
  let days = 2;
  while (!isEnough(span, days * DAY_MS, points)) days += 1;
  return days * DAY_MS;
}

function startOf(atMs: number, stepMs: number): number {
  const offsetMs = -new Date(atMs).getTimezoneOffset() * MINUTE_MS;
  const shiftMs = offsetMs % HOUR_MS === 0 ? offsetMs : 0;
  return Math.floor((atMs + shiftMs) / stepMs) * stepMs - shiftMs;
}
