import type uPlot from 'uplot';
import { afterEach, expect, test, vi } from 'vitest';
import { drawMoments } from '../../renderer/src/charts/marks.ts';

afterEach(() => vi.unstubAllGlobals());

/** A plot 100 pixels wide in which an epoch second is a pixel and a word is 30 pixels wide. Answers the words as they are drawn. */
function wordsDrawnAt(at: readonly number[]): { word: string; x: number; align: string }[] {
  vi.stubGlobal('devicePixelRatio', 1);
  const drawn: { word: string; x: number; align: string }[] = [];
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
    },
    canvas: { width: 100 },
    textAlign: 'start',
    measureText: () => ({ width: 30 }),
    fillText: (word: string, x: number) => drawn.push({ word, x, align: ctx.textAlign }),
  };
  const plot = { ctx, bbox: { left: 0, top: 10, width: 100, height: 50 }, valToPos: (value: number) => value };
  drawMoments(plot as unknown as uPlot, { at, word: 'Paused', colour: '#000000' });
  return drawn;
}

test('the word of a moment stands on its right, and on its left where the chart ends', () => {
  expect(wordsDrawnAt([20, 66, 67, 95])).toEqual([
    { word: 'Paused', x: 24, align: 'left' },
    { word: 'Paused', x: 70, align: 'left' },
    { word: 'Paused', x: 63, align: 'right' },
    { word: 'Paused', x: 91, align: 'right' },
  ]);
});
