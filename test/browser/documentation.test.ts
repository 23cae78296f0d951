import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRig, type Rig } from '../http/rig.ts';
import { faultsOfColour, seriousFaults } from './accessibility.ts';
import { browserOfWorker } from './worker-browser.ts';

let rig: Rig;
let page: Page;
/** Everything that the browser has complained of and no test has looked at yet. */
const complaints: string[] = [];
let policy: string | null = null;
let groundAtFirst = '';

const DARK_GROUND = 'rgb(28, 32, 34)';
const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
/** How many elements are on their way from the colours of one theme to those of the other. */
const changing = () => page.evaluate(() => document.getAnimations().length);

/** The API page takes seconds to load and to draw, so all tests look at the same one, with a call opened. */
beforeAll(async () => {
  rig = await openRig();
  const context = await (await browserOfWorker()).newContext({ colorScheme: 'dark' });
  page = await context.newPage();
  // A violation of the policy is an error on the console too.
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`));
  page.on(
    'response',
    (response) => response.status() >= 400 && complaints.push(`${response.status()} ${response.url()}`),
  );
  const response = await page.goto(`${rig.url}/docs`);
  policy = (await response?.headerValue('content-security-policy')) ?? null;
  await page.getByText('Exchange a one-use code for a session key').waitFor();
  groundAtFirst = await ground();
  const submission = page.locator('.opblock', { hasText: 'Submit an action' });
  await submission.locator('.opblock-summary').click();
  await submission.getByText('idempotency_key_reused').waitFor();
});
afterAll(async () => {
  await page.context().close();
  await rig.app.close();
});

test('/docs shows every call, and nothing it does breaks its strict policy', async () => {
  expect(await page.title()).toBe('Handrail');
  expect(policy).toMatch(/^default-src 'none'/);
  expect(policy).not.toMatch(/unsafe-|https?:|\*/);
  expect(complaints.splice(0)).toEqual([]);
});

test('a violation of the policy of /docs is a complaint', async () => {
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.wasRun = true';
    document.head.append(script);
    script.remove();
  });
  await expect.poll(() => complaints).toEqual([expect.stringContaining('Content Security Policy')]);
  complaints.length = 0;
});

/**
 * With a call opened the page shows all that it shows while every call is closed, and more. In the dark theme it has the same elements,
 * so only their colours are looked at again.
 */
test('everybody can use /docs with a call opened, in both themes', async () => {
  expect(groundAtFirst).toBe(DARK_GROUND);
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(ground).not.toBe(DARK_GROUND);
  await expect.poll(changing).toBe(0);
  expect(await seriousFaults(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(ground).toBe(DARK_GROUND);
  await expect.poll(changing).toBe(0);
  expect(await faultsOfColour(page)).toEqual([]);
  expect(complaints.splice(0)).toEqual([]);
}, 180_000);
