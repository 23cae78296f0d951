import type uPlot from 'uplot';
import type { SeriesPoint } from '../../../src/contract/console-series.ts';
import { type Colours, faded } from './colours.ts';
import { axesOf, drawLevels, drawOff, drawOffWords, type Stretch } from './marks.ts';
import type { PlotOptions } from './Plot.tsx';

/** The values between which worry grows, in the unit of the metric; `null` where there are none. */
export type Limits = { green: number | null; red: number | null };

/** Marks that are drawn besides the series. */
export type SeriesMarks = { off: readonly Stretch[]; limits: Limits };

type Drawing = { words: (value: number) => string; marks: () => SeriesMarks };

/** Times, then the upper and lower end of the usual range, then the values. */
export function seriesData(points: readonly SeriesPoint[]): uPlot.AlignedData {
  return [
    points.map(({ at }) => Date.parse(at) / 1_000),
    points.map(({ usual }) => usual?.high ?? null),
    points.map(({ usual }) => usual?.low ?? null),
    points.map(({ value }) => value),
  ];
}

/** `marks` is asked at every drawing. */
export function seriesOptions(colours: Colours, { words, marks }: Drawing): PlotOptions {
  const lonely = { show: true, size: 6, fill: colours.accent, filter: lonelyPoints };
  const edge = { stroke: faded(colours.low, 0.7), width: 1, dash: [3, 3], points: { show: false } };
  return {
    series: [{}, edge, edge, { stroke: colours.accent, width: 2, points: lonely }],
    bands: [{ series: [1, 2], fill: faded(colours.low, 0.16) }],
    axes: axesOf(colours, words),
    scales: { y: { range: (_plot, least, most) => [Math.min(0, least ?? 0), most > 0 ? most * 1.08 : 1] } },
    hooks: {
      drawClear: [(plot) => drawOff(plot, marks().off, colours)],
      draw: [
        (plot) => drawLevels(plot, levelsOf(marks().limits, colours), colours),
        (plot) => drawOffWords(plot, marks().off, colours),
      ],
    },
    // Half of the last time on the axis stands to the right of its tick.
    padding: [10, 20, 0, 0],
  };
}

/** The values without a neighbour: no line leads to them, so that only a point shows them. */
function lonelyPoints({ data }: Pick<uPlot, 'data'>, series: number): number[] {
  const values = data[series] ?? [];
  return Array.from(values.keys()).filter(
    (index) => values[index] != null && values[index - 1] == null && values[index + 1] == null,
  );
}

function levelsOf({ green, red }: Limits, colours: Colours) {
  return [
    ...(green === null ? [] : [{ at: green, words: 'limit', colour: colours.medium }]),
    ...(red === null || red === green ? [] : [{ at: red, words: 'far beyond', colour: colours.critical }]),
  ];
}
