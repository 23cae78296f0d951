import { chromium } from 'playwright';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startNotificationServer } from '../desktop/notification-server.ts';
import { until } from '../desktop/processes.ts';
import { type Rig, startRig } from '../desktop/rig.ts';
import { ONE_USE_CODE } from '../http/fake-sessions.ts';
import { QUIET, WHOLE_CHROMIUM } from './chromium.ts';
import { typeCode, usePages } from './page-rig.ts';

const { openBlank, openDashboard } = usePages();

let rig: Rig;
let server: Awaited<ReturnType<typeof startNotificationServer>>;

beforeAll(async () => {
  rig = await startRig();
  server = await startNotificationServer(rig);
});

afterAll(async () => {
  server.stop();
  await rig.close();
});

/** A window of the whole browser on a desktop with a notification server, where the person has allowed notifications. */
async function openWindow() {
  const { daemon, url } = await openBlank();
  const browser = await chromium.launch({
    executablePath: WHOLE_CHROMIUM,
    headless: false,
    args: QUIET,
    env: { ...process.env, ...rig.env },
  });
  onTestFinished(() => browser.close());
  const context = await browser.newContext();
  await context.grantPermissions(['notifications'], { origin: url });
  const page = await context.newPage();
  await page.goto(url);
  await typeCode(page, ONE_USE_CODE);
  await page.getByText('No requests waiting').waitFor();
  return { page, daemon };
}

test('sound and notification are turned on by one click, and a click on the notification leads back to the page', async () => {
  const { page, daemon } = await openWindow();
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByText('Sound and notifications are on.').waitFor();
  await page.getByRole('link', { name: 'Settings' }).click();
  for (const name of ['Play a sound', 'Show a notification while another window is in front'])
    expect(await page.getByRole('switch', { name }).isChecked()).toBe(true);
  await rig.open('xterm');
  const isActive = (title: RegExp) => async () => title.test((await rig.activeWindow())?.title ?? '');
  await until('another window is in front', isActive(/^(?!.*Handrail)/));
  // Playwright lets every page believe that it is in front.
  await page.evaluate(() => window.dispatchEvent(new Event('blur')));
  const { id } = daemon.ask({ userId: 'ann', prompt: { sentence: 'Open the secret plans' } });
  daemon.call(id);
  await until('the notification is shown', async () => server.printed().includes('Handrail needs you') || undefined);
  expect(server.printed()).not.toMatch(/secret|ann\b/);
  await rig.ask('dunstctl', 'action');
  await until('the dashboard is in front', isActive(/Handrail/));
  await page.getByRole('alertdialog').waitFor();
  expect(page.url()).toMatch(/#\/requests$/);
  expect(daemon.answers).toEqual([]);
});

test('sound and notification are offered once, never above a request that waits, and Settings can turn them on later', async () => {
  const { page, daemon } = await openDashboard();
  const offer = page.getByText('Play a sound and show a notification');
  await offer.waitFor();
  const { id } = daemon.ask();
  await page.getByRole('alertdialog').waitFor();
  expect(await offer.count()).toBe(0);
  daemon.end(id, 'expired');
  await page.getByRole('button', { name: 'Not now' }).click();
  await offer.waitFor({ state: 'detached' });
  await page.reload();
  await page.getByText('No requests waiting').waitFor();
  expect(await offer.count()).toBe(0);
  await page.getByRole('link', { name: 'Settings' }).click();
  const sound = page.getByRole('switch', { name: 'Play a sound' });
  await sound.click();
  expect(await sound.isChecked()).toBe(true);
});
