import uPlot from 'uplot';
import type { OutcomePoint } from '../../../src/contract/console-series.ts';
import { axesOf } from './axes.ts';
import { type Colours, striped } from './colours.ts';
import { drawMoments, drawOff, drawOffWords, offStretches, type Stretch } from './marks.ts';
import type { PlotOptions } from './Plot.tsx';

/** Marks that are drawn besides the series. Times in epoch seconds. */
export type OutcomeMarks = { pausedAt: readonly number[]; off: readonly Stretch[]; window: Stretch };

export function outcomeMarks(points: readonly OutcomePoint[], stepMs: number): OutcomeMarks {
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
export function outcomeOptions(colours: Colours, marks: () => OutcomeMarks): PlotOptions {
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
