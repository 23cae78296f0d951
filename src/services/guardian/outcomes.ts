import type { OutcomePoint } from '../../contract/console-series.ts';
import { coverageOf } from '../../guardian/snapshot.ts';
import { shownShare } from '../rounding.ts';
import { timestamp } from '../timestamps.ts';
import { gridOver } from './series-grid.ts';
import type { createWindows, Span } from './windows.ts';

/** The outcomes of actions in each of at most so many parts of a window, oldest first, with its prompts and pauses. */
export function outcomesOver(
  windows: Pick<ReturnType<typeof createWindows>, 'recorded' | 'unitKeptMs'>,
  span: Span,
  points: number,
): { stepMs: number; points: OutcomePoint[] } {
  const { stepMs, spans } = gridOver(span, { points, unitMs: windows.unitKeptMs(span.fromMs) });
  return {
    stepMs,
    points: spans.map((part) => {
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
    }),
  };
}
