import type uPlot from 'uplot';
import type { Colours } from './colours.ts';

const FONT = '11px system-ui, sans-serif';

/** A time axis in the local time of the person, and an axis of values in their unit. */
export function axesOf(colours: Colours, valueWords: (value: number) => string): uPlot.Axis[] {
  const common = {
    stroke: colours.muted,
    font: FONT,
    grid: { stroke: colours.line, width: 1 },
    ticks: { stroke: colours.line, width: 1, size: 4 },
  };
  return [
    { ...common, grid: { show: false }, space: 70, size: 40, values: TIMES },
    {
      ...common,
      size: (plot, values, axisIndex, cycle) => widthOfWords(plot, values ?? [], axisIndex, cycle),
      space: 34,
      values: (_plot, splits) => splits.map((value) => valueWords(value)),
    },
  ];
}

/** Rows of the form uPlot asks for: least seconds between ticks, the format, then formats where the year, day or hour changes. */
const TIMES: uPlot.Axis.Values = [
  [86_400, '{D} {MMM}', null, null, null, null, null, null, 1],
  [60, '{HH}:{mm}', null, null, '\n{D} {MMM}', null, null, null, 1],
];

function widthOfWords(plot: uPlot, words: string[], _axisIndex: number, _cycle: number): number {
  const longest = words.reduce((most, each) => (each.length > most.length ? each : most), '');
  plot.ctx.save();
  plot.ctx.font = FONT;
  const { width } = plot.ctx.measureText(longest);
  plot.ctx.restore();
  return Math.ceil(width) + 12;
}
