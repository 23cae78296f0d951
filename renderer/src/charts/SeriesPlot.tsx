import { useCallback, useMemo, useRef } from 'react';
import type { SeriesPoint } from '../../../src/contract/console-series.ts';
import type { Colours } from './colours.ts';
import { offStretches } from './marks.ts';
import { Plot } from './Plot.tsx';
import { type Limits, type SeriesMarks, seriesData, seriesOptions } from './series-plot.ts';

type Props = {
  points: readonly SeriesPoint[];
  stepMs: number;
  limits: Limits;
  words: (value: number) => string;
  height: number;
  onPoint: (index: number | null) => void;
};

/** The canvas of a metric over time. */
export function SeriesPlot({ points, stepMs, limits, words, height, onPoint }: Props) {
  const data = useMemo(() => seriesData(points), [points]);
  const marks = useRef<SeriesMarks>({ off: [], limits });
  marks.current = { off: offStretches(points, stepMs), limits };
  const optionsOf = useCallback(
    (colours: Colours) => seriesOptions(colours, { words, marks: () => marks.current }),
    [words],
  );
  return <Plot data={data} optionsOf={optionsOf} height={height} onPoint={onPoint} />;
}
