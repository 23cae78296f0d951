import { useCallback, useMemo, useRef } from 'react';
import type { OutcomePoint } from '../../../src/contract/console-series.ts';
import type { Colours } from './colours.ts';
import { outcomeMarks, outcomeOptions } from './outcome-plot.ts';
import { outcomeData } from './outcome-stack.ts';
import { Plot } from './Plot.tsx';

type Props = {
  points: readonly OutcomePoint[];
  stepMs: number;
  height: number;
  onPoint: (index: number | null) => void;
};

/** The canvas of the outcomes of actions over time. */
export function OutcomePlot({ points, stepMs, height, onPoint }: Props) {
  const data = useMemo(() => outcomeData(points, stepMs), [points, stepMs]);
  const marks = useRef(outcomeMarks(points, stepMs));
  marks.current = outcomeMarks(points, stepMs);
  const optionsOf = useCallback((colours: Colours) => outcomeOptions(colours, () => marks.current), []);
  return <Plot data={data} optionsOf={optionsOf} height={height} onPoint={onPoint} />;
}
