import { useCallback, useMemo, useRef } from 'react';
import type uPlot from 'uplot';
import type { OutcomePoint } from '../../../src/contract/console-series.ts';
import type { Colours } from './colours.ts';
import { outcomeMarks, outcomeOptions } from './outcome-plot.ts';
import { Plot } from './Plot.tsx';

type Props = {
  points: readonly OutcomePoint[];
  stepMs: number;
  height: number;
  onPoint: (index: number | null) => void;
  onOpen: (index: number) => void;
};

/** The canvas of the outcomes of actions over time. */
export function OutcomePlot({ points, stepMs, height, onPoint, onOpen }: Props) {
  const data = useMemo(() => outcomeData(points, stepMs), [points, stepMs]);
  const marks = useRef(outcomeMarks(points, stepMs));
  marks.current = outcomeMarks(points, stepMs);
  const optionsOf = useCallback((colours: Colours) => outcomeOptions(colours, () => marks.current), []);
  return <Plot data={data} optionsOf={optionsOf} height={height} onPoint={onPoint} onOpen={onOpen} />;
}

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
