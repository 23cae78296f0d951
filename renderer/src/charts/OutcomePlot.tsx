import { useCallback, useMemo, useRef } from 'react';
import uPlot from 'uplot';
import type { OutcomePoint } from '../../../src/contract/console-series.ts';
import { type Colours, striped } from './colours.ts';
import { axesOf, drawMoments, drawOff, drawOffWords, offStretches, type Stretch } from './marks.ts';
import { Plot, type PlotOptions } from './Plot.tsx';

type Props = {
  points: readonly OutcomePoint[];
  stepMs: number;
  height: number;
  onPoint: (index: number | null) => void;
  onOpen: (index: number) => void;
};

/** Marks that are drawn besides the series. Times in epoch seconds. */
type OutcomeMarks = { pausedAt: readonly number[]; off: readonly Stretch[]; window: Stretch };

function outcomeMarks(points: readonly OutcomePoint[], stepMs: number): OutcomeMarks {
  const seconds = ({ at }: OutcomePoint) => Date.parse(at) / 1_000;
  const [first, last] = [points[0], points.at(-1)];
  const off = offStretches(points, stepMs);
  const window = {
    from: first === undefined ? 0 : seconds(first),
    to: last === undefined ? 1 : seconds(last) + stepMs / 1_000,
  };
  return {
    pausedAt: points.filter(({ pauses }) => pauses > 0).map((point) => seconds(point) + stepMs / 2_000),
    off,
    window: { ...window, from: beginningOf(window, off) },
  };
}

/** On a first day nearly all of the window is before Handrail was first on. That is left out, but for a strip that says so. */
function beginningOf({ from, to }: Stretch, [first]: readonly Stretch[]): number {
  const length = to - from;
  if (first === undefined || first.from > from || first.to - from < 0.6 * length) return from;
  return to - Math.max(length / 24, (5 / 4) * (to - first.to));
}

/** `marks` is asked at every drawing. */
function outcomeOptions(colours: Colours, marks: () => OutcomeMarks): PlotOptions {
  const paths = uPlot.paths.bars?.({ size: [0.82, 48] });
  const barOf = (colour: string, slope: 1 | 0 | -1 | null): uPlot.Series => ({
    stroke: colour,
    width: 1,
    fill: (plot) => (slope === null ? colour : striped(plot.ctx, { colour, surface: colours.surface, slope })),
    points: { show: false },
    paths,
  });
  const prompts: uPlot.Series = {
    paths: () => null,
    points: { show: true, size: 9, width: 2, stroke: colours.text, fill: colours.surface },
  };
  return {
    series: [
      {},
      barOf(colours.muted, 0),
      barOf(colours.medium, -1),
      barOf(colours.critical, 1),
      barOf(colours.accent, null),
      prompts,
    ],
    axes: axesOf(colours, (value) => (Number.isInteger(value) ? String(value) : '')),
    scales: {
      x: { range: () => [marks().window.from, marks().window.to] },
      y: { range: (_plot, _least, most) => [0, Math.max(4, (most ?? 0) * 1.1)] },
    },
    hooks: {
      drawClear: [(plot) => drawOff(plot, marks().off, colours)],
      draw: [
        (plot) => drawMoments(plot, { at: marks().pausedAt, word: 'Paused', colour: colours.text }),
        (plot) => drawOffWords(plot, marks().off, colours),
      ],
    },
    padding: [16, 20, 0, 0],
  };
}

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
