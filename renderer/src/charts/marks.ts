import type uPlot from 'uplot';
import { type Colours, faded } from './colours.ts';

/** A stretch of time in epoch seconds. */
export type Stretch = { from: number; to: number };

/** The stretches in which Handrail was off, from points `stepMs` apart. */
export function offStretches(points: readonly { at: string; coverage: number }[], stepMs: number): Stretch[] {
  const stretches: Stretch[] = [];
  for (const { at, coverage } of points) {
    if (coverage > 0) continue;
    const from = Date.parse(at) / 1_000;
    const last = stretches.at(-1);
    if (last?.to === from) last.to = from + stepMs / 1_000;
    else stretches.push({ from, to: from + stepMs / 1_000 });
  }
  return stretches;
}

/** Marks the time in which Handrail was off, so that a gap does not look like silence. */
export function drawOff(plot: uPlot, stretches: readonly Stretch[], colours: Colours): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.fillStyle = faded(colours.muted, 0.1);
  for (const { left, width } of boxesOf(plot, stretches)) ctx.fillRect(left, bbox.top, width, bbox.height);
  ctx.restore();
}

/** The words of these marks, with a ground of their own: a limit that is drawn before may go through their place. */
export function drawOffWords(plot: uPlot, stretches: readonly Stretch[], colours: Colours): void {
  const { ctx, bbox } = plot;
  const [words, line] = ['Handrail was off', 16 * devicePixelRatio];
  ctx.save();
  ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  const needed = ctx.measureText(words).width + line;
  for (const { left, width } of boxesOf(plot, stretches)) {
    if (width < needed) continue;
    const middle = left + width / 2;
    for (const colour of [colours.surface, faded(colours.muted, 0.1)]) {
      ctx.fillStyle = colour;
      ctx.fillRect(middle - needed / 2, bbox.top + line / 4, needed, line);
    }
    ctx.fillStyle = colours.muted;
    ctx.fillText(words, middle, bbox.top + (3 * line) / 4);
  }
  ctx.restore();
}

/** The stretches that are in sight, in pixels of the canvas. */
function boxesOf(plot: uPlot, stretches: readonly Stretch[]): { left: number; width: number }[] {
  const { bbox } = plot;
  return stretches.flatMap(({ from, to }) => {
    const left = Math.max(bbox.left, plot.valToPos(from, 'x', true));
    const width = Math.min(bbox.left + bbox.width, plot.valToPos(to, 'x', true)) - left;
    return width > 0 ? [{ left, width }] : [];
  });
}

/** A level line with its words, such as a limit. `at`: on the axis of values. */
type Level = { at: number; words: string; colour: string };

/**
 * Draws level lines. Their words have a ground of their own, since the line of the values may go through their place. They stand
 * above their line, or below it where the line of another level would go through them.
 */
export function drawLevels(plot: uPlot, levels: readonly Level[], { surface }: Pick<Colours, 'surface'>): void {
  const { ctx, bbox } = plot;
  const most = plot.scales.y?.max ?? 0;
  ctx.save();
  ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
  ctx.setLineDash([6 * devicePixelRatio, 4 * devicePixelRatio]);
  beginWords(ctx);
  const [gap, line] = [2 * devicePixelRatio, 14 * devicePixelRatio];
  const drawn = levels
    .filter(({ at }) => at <= most)
    .map((level) => ({ ...level, y: Math.round(plot.valToPos(level.at, 'y', true)) }));
  for (const { words, colour, y } of drawn) {
    const isBelow = drawn.some((other) => other.y < y && y - other.y < line + 2 * gap);
    const top = isBelow ? y + gap : y - gap - line;
    ctx.strokeStyle = colour;
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
    const left = bbox.left + 2 * gap;
    ctx.fillStyle = surface;
    ctx.fillRect(left - gap, top, ctx.measureText(words).width + 2 * gap, line);
    ctx.fillStyle = colour;
    ctx.fillText(words, left, top + line - gap);
  }
  ctx.restore();
}

/** Vertical lines with a word above them, on their left where the right has no room. `at`: epoch seconds. */
export function drawMoments(
  plot: uPlot,
  { at, word, colour }: { at: readonly number[]; word: string; colour: string },
): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.fillStyle = colour;
  ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
  ctx.setLineDash([4 * devicePixelRatio, 4 * devicePixelRatio]);
  beginWords(ctx);
  for (const moment of at) {
    const x = Math.round(plot.valToPos(moment, 'x', true));
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    const gap = 4 * devicePixelRatio;
    const hasRoom = x + gap + ctx.measureText(word).width <= ctx.canvas.width;
    ctx.textAlign = hasRoom ? 'left' : 'right';
    ctx.fillText(word, hasRoom ? x + gap : x - gap, bbox.top - 3 * devicePixelRatio);
  }
  ctx.restore();
}

/** Words stand to the right of their place and above it: the axes, drawn before, may have set another alignment. */
function beginWords(ctx: CanvasRenderingContext2D): void {
  ctx.textAlign = 'left';
  ctx.textBaseline = 'alphabetic';
}

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
