import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import type { ConsoleSeries, SeriesPoint } from '../../src/contract/console-series.ts';
import type { MetricList } from '../../src/contract/guardian.ts';
import { type Box, isOfLine, paintedColours, pixelsIn, plotSize } from './chart-pixels.ts';
import { useSharedDaemon } from './charts-rig.ts';

const { openAt } = useSharedDaemon();

const CHART = '.series-chart';
const COLOURS = { text: 'var(--text)', limit: 'var(--medium)' };
/** The colour of the usual range and of a time in which Handrail was off, as shares of an opaque colour. */
const [BAND, OFF] = [0.16, 0.1];
const HIGHEST = 8;
/** The axis ends a little above the highest value. */
const AXIS_END = HIGHEST * 1.08;

type Made = {
  points?: (point: SeriesPoint, index: number) => SeriesPoint;
  limit?: number;
};

/** The page of a metric over a day whose answers the test changes: its points and its limit. */
async function openMetric({ points = (point) => point, limit }: Made): Promise<Page> {
  const page = await openAt('#/overview');
  await page.route('**/api/console/guardian/series?*', async (route) => {
    const answer = await route.fetch();
    const series = (await answer.json()) as ConsoleSeries;
    const items = series.items.map((item) => ({ ...item, points: item.points.map(points) }));
    await route.fulfill({ response: answer, json: { ...series, items } });
  });
  await page.route('**/api/guardian/metrics?*', async (route) => {
    const answer = await route.fetch();
    const metrics = (await answer.json()) as MetricList;
    const target = { green: limit ?? null, red: null };
    const items = metrics.items.map((item) => ({ ...item, target: { ...item.target, ...target } }));
    await route.fulfill({ response: answer, json: { ...metrics, items } });
  });
  await page.evaluate((hash) => window.location.assign(hash), '#/metrics/action_retry_rate?window=24h');
  await page.locator(`${CHART} canvas`).waitFor();
  return page;
}

/** The pixel at a place of the chart. `x` and `y` are shares of its width and height. */
async function pixelAt(page: Page, { x, y }: { x: number; y: number }) {
  const { width, height } = await plotSize(page, CHART);
  const [pixel] = await pixelsIn(page, CHART, { left: x * width, top: y * height, width: 1, height: 1 });
  return pixel ?? { rgb: [0, 0, 0] as const, alpha: 0 };
}

test('the band of the usual range reaches exactly from its first to its last hour and from its low to its high end', async () => {
  const usual = { low: 2.5, high: 6.5 };
  const [first, last, count] = [6, 18, 25];
  const page = await openMetric({
    points: (point, index) => ({
      ...point,
      coverage: 1,
      value: index === 0 ? HIGHEST : null,
      usual: index >= first && index <= last ? usual : null,
    }),
  });
  const x = (index: number) => index / (count - 1);
  const y = (value: number) => 1 - value / AXIS_END;
  const inside = 0.2;
  const corners = [first, last].flatMap((index) => [usual.low, usual.high].map((value) => ({ index, value })));
  for (const { index, value } of corners) {
    const [inwards, upwards] = [index === first ? inside : -inside, value === usual.low ? inside : -inside];
    const alphaOf = async (across: number, along: number) =>
      (await pixelAt(page, { x: x(index + across), y: y(value + along) })).alpha / 255;
    expect([index, value, await alphaOf(inwards, upwards)]).toEqual([index, value, expect.closeTo(BAND, 1)]);
    expect([index, value, await alphaOf(-inwards, upwards)]).toEqual([index, value, 0]);
    expect([index, value, await alphaOf(inwards, -upwards)]).toEqual([index, value, 0]);
  }
});

test('the time in which Handrail was off has a ground, and no limit goes through the words on it', async () => {
  const [words, plotHeight] = [12, 210];
  const page = await openMetric({
    limit: AXIS_END * (1 - words / plotHeight),
    points: (point, index) => {
      const isOff = index >= 8 && index <= 20;
      return { ...point, usual: null, value: isOff ? null : HIGHEST, coverage: isOff ? 0 : 1 };
    },
  });
  const { width, height } = await plotSize(page, CHART);
  expect(height).toBe(plotHeight);
  const middle = (14.5 / 24) * width;
  const { limit } = await paintedColours(page, COLOURS);
  const drawnIn = async (box: Box, colour: typeof limit) =>
    (await pixelsIn(page, CHART, box)).some((pixel) => isOfLine(pixel, colour));
  const onWords = { left: middle - 30, top: 5, width: 60, height: 14 };
  const beside = { ...onWords, left: (4 / 24) * width };
  expect(await drawnIn(beside, limit)).toBe(true);
  expect(await drawnIn(onWords, limit)).toBe(false);
  expect((await pixelsIn(page, CHART, onWords)).every(({ alpha }) => alpha === 255)).toBe(true);
  expect((await pixelAt(page, { x: 14.5 / 24, y: 0.43 })).alpha / 255).toBeCloseTo(OFF, 1);
  expect((await pixelAt(page, { x: 4.5 / 24, y: 0.43 })).alpha).toBe(0);
});

test('the strip of the day draws a pause, and its legend, its readout and its table count it', async () => {
  const page = await openAt('#/overview');
  const strip = page.locator('.outcome-chart');
  await strip.locator('canvas').waitFor();
  const pauses = strip.locator('.legend li').filter({ hasText: 'Pauses' });
  const counted = async () => Number(await pauses.locator('b').textContent());
  const before = await counted();
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await page.getByRole('button', { name: 'Resume', exact: true }).click();
  await expect.poll(counted).toBe(before + 1);
  const { text } = await paintedColours(page, COLOURS);
  const { width, height } = await plotSize(page, '.outcome-chart');
  // The pause is in the last half hour. On a first day the strip has two parts of the day, so it is at three quarters.
  const middle = { left: width * 0.7, top: 0, width: width * 0.1, height };
  await expect
    .poll(async () => (await pixelsIn(page, '.outcome-chart', middle)).some((pixel) => isOfLine(pixel, text)))
    .toBe(true);
  const mark = await pauses
    .locator('.swatch')
    .evaluate((swatch) => [
      getComputedStyle(swatch).borderInlineStartStyle,
      getComputedStyle(swatch).borderInlineStartColor,
    ]);
  expect(mark).toEqual(['dashed', await page.evaluate(() => getComputedStyle(document.body).color)]);
  await strip.locator('.u-over').hover({ position: { x: width - 3, y: height / 2 } });
  await expect.poll(() => strip.locator('.chart-readout').textContent()).toMatch(/: \d+ pauses?$/);
  await strip.getByRole('button', { name: 'Show as table' }).click();
  const cells = strip.getByRole('row').last().getByRole('cell');
  expect(await cells.last().textContent()).toBe(String(before + 1));
});
