import type { OutcomePoint } from '../../contract/console-series.ts';
import { coverageOf } from '../../guardian/metrics/snapshot.ts';
import { shownShare } from '../rounding.ts';
import { timestamp } from '../timestamps.ts';
import { createRemembered } from './remembered.ts';
import { gridOver } from './series-grid.ts';
import { type createWindows, HOUR_MS, type Span } from './windows.ts';

const MOST_REMEMBERED = 1_000;

/**
 * The outcomes of actions in each of at most so many parts of a window, oldest first, with its prompts and pauses. A part that
 * ended an hour ago is final, so it is counted once: a page that loads again costs the latest parts only.
 */
export function createOutcomes(windows: Pick<ReturnType<typeof createWindows>, 'recorded' | 'unitKeptMs'>) {
  const remembered = createRemembered<string, OutcomePoint>(MOST_REMEMBERED);

  function pointOf(part: Span, nowMs: number): OutcomePoint {
    return remembered(`${part.fromMs} ${part.toMs}`, () => counted(part), part.toMs + HOUR_MS <= nowMs);
  }

  function counted(part: Span): OutcomePoint {
    const recorded = windows.recorded(part);
    const { counters } = recorded.rollup;
    return {
      at: timestamp(part.fromMs),
      succeeded: counters.succeeded,
      failed: counters.failed,
      denied: counters.denied + counters.blocked + counters.requestRefused,
      notDone: counters.expired + counters.cancelled + counters.unknown,
      prompts: counters.prompted,
      pauses: counters.emergencyStopped,
      coverage: shownShare(coverageOf(recorded)),
    };
  }

  return (span: Span, points: number, nowMs: number): { stepMs: number; points: OutcomePoint[] } => {
    const { stepMs, spans } = gridOver(span, { points, unitMs: windows.unitKeptMs(span.fromMs) });
    return { stepMs, points: spans.map((part) => pointOf(part, nowMs)) };
  };
}
