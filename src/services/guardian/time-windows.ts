import type { Window } from '../../contract/guardian.ts';
import type { Recorded } from '../../guardian/recording/metrics.ts';
import { COUNTS_KEPT_MS } from '../../store/guardian/units.ts';
import type { Context } from '../context.ts';
import { timestamp } from '../steady-clock.ts';
import { createRemembered } from './remembered.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Some kilobytes each; a month in steps of an hour, with the month before it, has half as many. */
const MOST_REMEMBERED = 3_000;

/** A span back from now, or one between two moments; epoch milliseconds. */
export type WindowRequest = { lengthMs: number } | { fromMs: number; toMs: number };
export type Span = { fromMs: number; toMs: number };

export type Windows = ReturnType<typeof createWindows>;

/** The recorded events, by window. A span that ended an hour ago is final, so that it is read once. */
export function createWindows({ store, clock }: Context) {
  const remembered = createRemembered<string, Recorded>(MOST_REMEMBERED);

  /** Coverage is measured over the part of the window that has passed. The current minute counts up to now. */
  function recorded(span: Span): Recorded {
    const nowMs = clock.nowMs();
    const passedMs = Math.min(span.toMs, nowMs) - span.fromMs;
    const read = () => ({ ...store.recording.recorded(span, nowMs), lengthMs: Math.max(1, passedMs) });
    return remembered(`${span.fromMs} ${span.toMs}`, read, span.toMs + HOUR_MS <= nowMs);
  }

  return {
    /** The span a request names, widened to minutes; at an edge where minutes are no longer kept to hours, or to days. */
    spanOf(request: WindowRequest): Span {
      const nowMs = clock.nowMs();
      // The minute that is now is part of it from its first millisecond on.
      const lastMs = 'toMs' in request ? request.toMs - 1 : nowMs;
      const lastUnitMs = unitKeptMs(nowMs - lastMs);
      const end = Math.floor(lastMs / lastUnitMs) * lastUnitMs + lastUnitMs;
      const start = 'fromMs' in request ? request.fromMs : end - request.lengthMs;
      const firstUnitMs = unitKeptMs(nowMs - start);
      return { fromMs: Math.min(Math.floor(start / firstUnitMs) * firstUnitMs, end - MINUTE_MS), toMs: end };
    },
    /** How exactly it is known when something happened at a time: to the minute, the hour or the day. */
    unitKeptMs: (atMs: number): number => unitKeptMs(clock.nowMs() - atMs),
    recorded,
    /** A window in steps, oldest first. */
    history: (window: Span, stepMs: number) =>
      stepsOf(window, stepMs).map((step) => ({ ...step, recorded: recorded(step) })),
  };
}

/** The last step may be shorter. */
export function stepsOf({ fromMs, toMs }: Span, stepMs: number): Span[] {
  return Array.from({ length: Math.ceil((toMs - fromMs) / stepMs) }, (_, index) => {
    const startMs = fromMs + index * stepMs;
    return { fromMs: startMs, toMs: Math.min(toMs, startMs + stepMs) };
  });
}

/** How exactly it is known when something happened that long ago. */
function unitKeptMs(agoMs: number): number {
  if (agoMs > COUNTS_KEPT_MS.hour) return DAY_MS;
  return agoMs > COUNTS_KEPT_MS.minute ? HOUR_MS : MINUTE_MS;
}

export function windowOf({ fromMs, toMs }: Span): Window {
  return { from: timestamp(fromMs), to: timestamp(toMs), length: toMs - fromMs };
}
