import type uPlot from 'uplot';
import { afterEach, expect, test, vi } from 'vitest';
import { drawLevels, drawMoments } from '../../renderer/src/charts/marks.ts';

afterEach(() => vi.unstubAllGlobals());

type Drawn = { word: string; x: number; y: number; align: string };

/** The words that a drawing puts on a plot 100 pixels wide, in which a second or a value is a pixel and a word is 30 pixels wide. */
function wordsOf(draw: (plot: uPlot) => void): Drawn[] {
  vi.stubGlobal('devicePixelRatio', 1);
  const drawn: Drawn[] = [];
  const ignore = () => undefined;
  const ctx = {
    ...{
      save: ignore,
      restore: ignore,
      setLineDash: ignore,
      beginPath: ignore,
      moveTo: ignore,
      lineTo: ignore,
      stroke: ignore,
      fillRect: ignore,
    },
    canvas: { width: 100 },
    textAlign: 'start',
    measureText: () => ({ width: 30 }),
    fillText: (word: string, x: number, y: number) => drawn.push({ word, x, y, align: ctx.textAlign }),
  };
  const bbox = { left: 0, top: 10, width: 100, height: 50 };
  const plot = { ctx, bbox, scales: { y: { max: 100 } }, valToPos: (value: number) => value };
  draw(plot as unknown as uPlot);
  return drawn;
}

function wordsDrawnAt(at: readonly number[]): Drawn[] {
  return wordsOf((plot) => drawMoments(plot, { at, word: 'Paused', colour: '#000000' }));
}

function placesOfLevels(...at: readonly number[]): number[] {
  const levels = at.map((each) => ({ at: each, words: String(each), colour: '#000000' }));
  return wordsOf((plot) => drawLevels(plot, levels, { surface: '#ffffff' })).map(({ y }) => y);
}

test('the word of a moment stands on its right, and on its left where the chart ends', () => {
  expect(wordsDrawnAt([20, 66, 67, 95])).toEqual([
    { word: 'Paused', x: 24, y: 7, align: 'left' },
    { word: 'Paused', x: 70, y: 7, align: 'left' },
    { word: 'Paused', x: 63, y: 7, align: 'right' },
    { word: 'Paused', x: 91, y: 7, align: 'right' },
  ]);
});

test('the words of a level stand above its line, or below it where another line would go through them', () => {
  expect(placesOfLevels(20, 60)).toEqual([16, 56]);
  expect(placesOfLevels(25, 20)).toEqual([39, 16]);
});
