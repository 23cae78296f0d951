import type { Window } from '../../contract/guardian.ts';
import type { Recorded } from '../../guardian/recording/metrics.ts';
import { MINUTES_KEPT_MS } from '../../store/recording.ts';
import type { Context } from '../context.ts';
import { timestamp } from '../timestamps.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A span back from now, or one between two moments; epoch milliseconds. */
export type WindowRequest = { lengthMs: number } | { fromMs: number; toMs: number };
export type Span = { fromMs: number; toMs: number };

/** What happened, by windows. */
export function createWindows({ store, clock }: Context) {
  return {
    /** The span a request names, widened to minutes; to hours where minutes are no longer kept. */
    spanOf(request: WindowRequest): Span {
      const nowMs = clock.nowMs();
      // The minute that is now is part of it from its first millisecond on.
      const lastMs = 'toMs' in request ? request.toMs - 1 : nowMs;
      const end = Math.floor(lastMs / MINUTE_MS) * MINUTE_MS + MINUTE_MS;
      const start = 'fromMs' in request ? request.fromMs : end - request.lengthMs;
      const unitMs = nowMs - start > MINUTES_KEPT_MS ? HOUR_MS : MINUTE_MS;
      return { fromMs: Math.min(Math.floor(start / unitMs) * unitMs, end - MINUTE_MS), toMs: end };
    },
    /** Coverage is of the part that has passed: the minute that is still running counts as far as it went. */
    recorded(span: Span): Recorded {
      const nowMs = clock.nowMs();
      const passedMs = Math.min(span.toMs, nowMs) - span.fromMs;
      return { ...store.recording.recorded(span, nowMs), lengthMs: Math.max(1, passedMs) };
    },
  };
}

export function windowOf({ fromMs, toMs }: Span): Window {
  return { from: timestamp(fromMs), to: timestamp(toMs), length: toMs - fromMs };
}
