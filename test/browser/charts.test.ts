import { expect, test } from 'vitest';
import { METRIC_TYPES, METRICS } from '../../src/contract/metrics.ts';
import { hasDrawing, useSharedDaemon } from './charts-rig.ts';
import { overflow } from './page-rig.ts';

const { openAt, requester } = useSharedDaemon();
const DESK = { width: 1_440, height: 900 };
const WINDOW = { width: 900, height: 640 };
const PANEL = { width: 420, height: 600 };
/** A window of 1280 × 800 at 200 % and at 400 %. */
const TWICE = { width: 640, height: 400 };
const ZOOMED = { width: 320, height: 200 };
const HOSTILE_NAME = '<img src=x onerror=alert(1)> \u202e gpj';
const PLACES = ['#/overview', '#/metrics', '#/metrics/action_rate?window=1h', '#/insights?status=all'];

test('an empty day says what will appear, and offers the demo', async () => {
  const page = await openAt('#/overview');
  for (const place of ['overview', 'metrics', 'insights']) {
    await page
      .getByRole('link', { name: new RegExp(`^${place}`, 'i') })
      .first()
      .click();
    await page.getByText('npm run demo').waitFor();
  }
});

/** Guardian looks once a minute, so the tests that wait for what it tells of this come last. */
test('a burst is seen on the overview at once', async () => {
  const page = await openAt('#/overview');
  const ann = await requester('ann');
  await Promise.all(Array.from({ length: 100 }, (_, index) => ann.wait(index % 5)));
  await Promise.all(Array.from({ length: 30 }, () => ann.openMissingApp()));
  await page.getByText(/Actions that ended: 100 succeeded, 30 failed/).waitFor();
  expect(await hasDrawing(page, '.outcome-chart canvas')).toBe(true);
});

test('a metric has a page with its course, its definition, good values and its parts, also with hostile names', async () => {
  const hostile = await requester('__proto__', HOSTILE_NAME);
  for (let count = 0; count < 4; count += 1) await hostile.wait();
  const page = await openAt('#/metrics/action_rate?window=1h');
  await page.getByText('How many actions requesters asked for in an hour.').waitFor();
  await page.getByText('Good values').waitFor();
  const parts = (heading: string) => page.getByRole('table', { name: heading });
  expect(await parts('By requester').getByRole('row', { name: '__proto__' }).textContent()).toMatch(/4$/);
  await parts('By device').getByText('<img src=x onerror=alert(1)> \\u{202e} gpj').waitFor();
  expect(await page.locator('img[src="x"]').count()).toBe(0);
  await page.getByRole('link', { name: '7d: the last 7 days' }).click();
  expect(page.url()).toMatch(/#\/metrics\/action_rate\?window=7d$/);
  await page.locator('.series-chart canvas').waitFor();
  expect(await hasDrawing(page, '.series-chart canvas')).toBe(true);
  await page.reload();
  expect(await page.getByRole('link', { name: '7d: the last 7 days' }).getAttribute('aria-current')).toBe('true');
});

test('a chart has a table that opens by keyboard, with the same values', async () => {
  const page = await openAt('#/metrics/action_burst_peak?window=1h');
  const button = page.getByRole('button', { name: 'Show as table' });
  await button.focus();
  await page.keyboard.press('Enter');
  const table = page.getByRole('region', { name: 'Values of the chart' });
  await expect.poll(() => table.getByRole('row').count()).toBeGreaterThan(55);
  expect(await table.getByRole('columnheader').allTextContents()).toEqual(['Time', 'Value', 'Usual range', 'Samples']);
  await page.keyboard.press('Tab');
  expect(await table.evaluate((element) => element === document.activeElement)).toBe(true);
});

test('each of the 23 metrics has a page', async () => {
  const page = await openAt('#/metrics');
  await expect.poll(() => page.locator('.metric').count()).toBe(23);
  for (const type of METRIC_TYPES) {
    await page.evaluate((hash) => window.location.assign(hash), `#/metrics/${type}`);
    await page.getByRole('heading', { level: 1, name: METRICS[type].name, exact: true }).waitFor();
  }
});

test.each([DESK, PANEL, WINDOW, TWICE, ZOOMED])('nothing of the charts sticks out: $width wide', async (viewport) => {
  const { width } = viewport;
  const page = await openAt('#/overview', { viewport, reducedMotion: 'reduce' });
  for (const place of PLACES) {
    await page.evaluate((hash) => window.location.assign(hash), place);
    const ready = place.startsWith('#/insights') ? '.insight, .empty-day' : '.metric, .chart canvas';
    await page.locator(ready).first().waitFor();
    expect([place, width, await overflow(page)]).toEqual([place, width, 0]);
  }
});

test('a click on a bar opens its part of the day in the activity, and so does its row of the table', async () => {
  const ann = await requester('ann');
  await ann.wait();
  const page = await openAt('#/overview');
  const chart = page.locator('.outcome-chart');
  const canvas = chart.locator('.u-over');
  await canvas.waitFor();
  await chart.getByRole('button', { name: 'Show as table' }).click();
  const address = await chart.getByRole('table').getByRole('link').first().getAttribute('href');
  expect(address).toMatch(/^#\/activity\?since=[^&]+&until=[^&]+$/);
  const { width, height } = (await canvas.boundingBox()) ?? { width: 0, height: 0 };
  await canvas.click({ position: { x: width - 3, y: height - 3 } });
  await expect.poll(() => new URL(page.url()).hash).toBe(address);
  await page.locator('.today', { hasText: 'ann' }).first().waitFor();
  expect(await page.getByLabel('Time', { exact: true }).locator('option:checked').textContent()).toMatch(/\d\d:\d\d/);
});

test('a burst raises an insight on the overview, and leads to the page of its metric', async () => {
  const page = await openAt('#/overview');
  const insight = page.locator('.insight', { hasText: /^.*\d+ actions requested in one minute/ });
  await insight.waitFor({ timeout: 90_000 });
  await page.locator('.contributor', { hasText: 'Most actions requested within one minute' }).waitFor();
  expect(await page.getByRole('heading', { level: 2 }).first().textContent()).toMatch(/risk [1-9]\d* of 100/);
  await page
    .getByRole('link', { name: /^Most actions requested within one minute: \d+/ })
    .first()
    .click();
  expect(page.url()).toMatch(/#\/metrics\/action_burst_peak$/);
  await page.getByText('Beyond the limit').waitFor();
}, 150_000);

test('the filters of insights are part of the address, and evidence leads to the activity', async () => {
  const page = await openAt('#/insights');
  const titles = page.locator('.insight h3');
  await titles.first().waitFor();
  await page.getByLabel('Level').selectOption('Important');
  expect(page.url()).toMatch(/#\/insights\?level=high$/);
  const burst = page.locator('.insight', { hasText: 'actions requested in one minute' });
  await burst.waitFor();
  const important = await titles.count();
  await page.reload();
  await burst.waitFor();
  expect(await titles.count()).toBe(important);
  expect(await page.locator('.insight:not([data-severity="high"])').count()).toBe(0);
  expect(await page.getByLabel('Level').inputValue()).toBe('high');
  await burst.getByText(/latest actions that show it/).click();
  expect(await burst.getByRole('link', { name: 'Action 1', exact: true }).getAttribute('href')).toMatch(
    /^#\/activity\/act_[0-9A-Z]{26}$/,
  );
  await burst.getByRole('button', { name: 'Mark as read' }).click();
  await burst.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /^All/ }).click();
  await burst.getByText('you know about it').waitFor();
  expect(page.url()).toMatch(/status=all/);
  await page.getByLabel('Type').selectOption('Device');
  await page.getByText('No insight matches these filters.').waitFor();
});
