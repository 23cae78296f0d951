import type uPlot from 'uplot';
import type { OutcomePoint } from '../../../src/contract/console-series.ts';

/**
 * The middle of each part of the window, so that bars, marks and the pointer meet there. Then stacked sums, the highest first, so
 * that each bar is drawn over the one behind it; then the prompts.
 */
export function outcomeData(points: readonly OutcomePoint[], stepMs: number): uPlot.AlignedData {
  return [
    points.map(({ at }) => (Date.parse(at) + stepMs / 2) / 1_000),
    points.map(({ succeeded, failed, denied, notDone }) => bar(succeeded + failed + denied, notDone)),
    points.map(({ succeeded, failed, denied }) => bar(succeeded + failed, denied)),
    points.map(({ succeeded, failed }) => bar(succeeded, failed)),
    points.map(({ succeeded }) => bar(0, succeeded)),
    points.map(({ prompts }) => (prompts === 0 ? null : prompts)),
  ];
}

/** The upper end of a part of a bar, or null for a part of 0, which is not drawn. */
function bar(below: number, part: number): number | null {
  return part === 0 ? null : below + part;
}
