import { DAY_MS, HOUR_MS, MINUTE_MS, type Span } from './windows.ts';

/** Steps that divide an hour or a day, so that every day has the same ones. */
const STEPS_MS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 480, 720, 1_440].map((minutes) => minutes * MINUTE_MS);

/** A window that begins with a step. */
export type Stepped = { window: Span; stepMs: number };

/**
 * Cuts a span into at most so many steps of a length that people reckon in. Steps begin at a multiple of their length. Where local
 * time differs from UTC by whole hours, they do so in local time, so that a step of a day is a day of the person. `unitMs`: no step
 * is shorter.
 */
export function steppedOver(span: Span, { points, unitMs }: { points: number; unitMs: number }): Stepped {
  const stepMs = STEPS_MS.find((each) => each >= unitMs && isEnough(span, each, points)) ?? longStepMs(span, points);
  return { stepMs, window: { fromMs: startOf(span.fromMs, stepMs), toMs: span.toMs } };
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

/** A window of at most so many steps of the same length. Steps of an hour or more begin with an hour. No step is shorter than `unitMs`. */
export function evenlyOver(span: Span, { points, unitMs }: { points: number; unitMs: number }): Stepped {
  const isLong = span.toMs - span.fromMs >= points * HOUR_MS;
  const edgeMs = Math.max(isLong ? HOUR_MS : MINUTE_MS, unitMs);
  const fromMs = Math.floor(span.fromMs / edgeMs) * edgeMs;
  return {
    stepMs: Math.ceil((span.toMs - fromMs) / points / edgeMs) * edgeMs,
    window: { fromMs, toMs: span.toMs },
  };
}
