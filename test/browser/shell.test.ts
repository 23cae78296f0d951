import type { Page } from 'playwright';
import { expect, onTestFinished, test } from 'vitest';
import { startDaemonProcess } from '../e2e/daemon.ts';
import { seriousFaults } from './accessibility.ts';
import { overflow, usePages } from './page-rig.ts';

const { openSignedIn, openDashboard } = usePages();

const NAMES = [
  'Requests',
  'Overview',
  'Activity',
  'Metrics',
  'Insights',
  'Procedures',
  'Access',
  'Devices',
  'Settings',
];
const DESKTOP = { width: 1440, height: 900 };
const WINDOW = { width: 900, height: 640 };
const PANEL = { width: 420, height: 600 };
/** A window of 1280 by 1024 at 200 % and at 400 %. */
const TWICE = { width: 640, height: 512 };
const ZOOMED = { width: 320, height: 256 };

/** A daemon with some history: a wait, a failed and a waiting action, a task, and a device with a hostile name. */
async function openWithHistory() {
  const daemon = await startDaemonProcess({ HANDRAIL_AGENT_DRIVER: 'fake' });
  onTestFinished(daemon.stop);
  const page = await openSignedIn(daemon.base, daemon.signInCode, { viewport: DESKTOP });
  const { id: targetDeviceId } = await daemon.register();
  const step = { actionType: 'Wait', targetDeviceId, parameters: { durationMs: 1 } };
  await daemon.submit(step);
  await daemon.submit({ ...step, actionType: 'DescribeScreen', parameters: {} });
  const steps = [
    { id: 'one', ...step },
    { id: 'two', ...step, dependsOn: ['one'] },
  ];
  await daemon.call('/api/tee/tasks', { userId: 'ann', body: { name: 'Two waits', steps } });
  return page;
}

async function open(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: new RegExp(`^${name}( \\d+)?$`) }).click();
  await page.getByRole('heading', { level: 1 }).first().waitFor();
}

test('every page fits every size, at 200 and 400 % too', async () => {
  const page = await openWithHistory();
  for (const name of NAMES) {
    await page.setViewportSize(DESKTOP);
    await open(page, name);
    for (const size of [WINDOW, TWICE, PANEL, ZOOMED]) {
      await page.setViewportSize(size);
      expect([name, size.width, await overflow(page)]).toEqual([name, size.width, 0]);
    }
  }
}, 240_000);

test('the pages are links that say which one is open, and the keyboard alone reaches each of them', async () => {
  const { page } = await openDashboard({ viewport: DESKTOP });
  const navigation = page.getByRole('navigation', { name: 'Pages' });
  await expect.poll(() => navigation.getByRole('link').allTextContents()).toEqual(NAMES.map((name) => `${name} `));
  for (const name of NAMES) {
    await navigation.getByRole('link', { name }).focus();
    await page.keyboard.press('Enter');
    const current = navigation.locator('[aria-current="page"]');
    await expect.poll(() => current.textContent()).toBe(`${name} `);
    await expect.poll(() => page.title()).toBe(`Handrail · ${name}`);
  }
  await page.goBack();
  await expect.poll(() => page.title()).toBe('Handrail · Devices');
});

test('the sidebar shrinks to icons, then becomes a bar at the bottom; each link keeps its name', async () => {
  const { page } = await openDashboard({ viewport: DESKTOP });
  const navigation = page.getByRole('navigation', { name: 'Pages' });
  const boxOf = async () => (await navigation.boundingBox()) ?? { x: -1, y: -1, width: -1, height: -1 };
  expect((await boxOf()).width).toBeGreaterThan(140);
  await page.setViewportSize({ width: 860, height: 640 });
  expect((await boxOf()).width).toBeLessThan(70);
  await page.setViewportSize(PANEL);
  const bar = await boxOf();
  expect([bar.x, bar.width, Math.round(bar.y + bar.height)]).toEqual([0, PANEL.width, PANEL.height]);
  expect(await navigation.getByRole('link').count()).toBe(NAMES.length);
  for (const name of NAMES) await navigation.getByRole('link', { name }).waitFor();
});

test.each(['grants', 'people'])('the former address #/%s leads to Access', async (name) => {
  const { page, url } = await openDashboard();
  await page.goto(`${url}/#/${name}`);
  await page.getByRole('heading', { name: 'Access', level: 1 }).waitFor();
});

test('with more contrast wanted, lines and secondary text are darker', async () => {
  const { page } = await openDashboard();
  const mutedOf = () =>
    page.evaluate(() => getComputedStyle(document.querySelector('.status-line') ?? document.body).color);
  const usual = await mutedOf();
  await page.emulateMedia({ contrast: 'more' });
  expect(await mutedOf()).not.toBe(usual);
  expect(await seriousFaults(page)).toEqual([]);
});
