import { type Browser, chromium } from 'playwright';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startRig } from '../http/rig.ts';
import { seriousFaults } from './accessibility.ts';
import { HEADLESS_SHELL, QUIET } from './chromium.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await chromium.launch({ executablePath: HEADLESS_SHELL, args: QUIET });
});
afterAll(() => browser.close());

/** The API page in a browser profile of its own, with everything that the browser complains of. */
async function openDocumentation(colorScheme: 'light' | 'dark' = 'light') {
  const rig = await startRig();
  const context = await browser.newContext({ colorScheme });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const complaints: string[] = [];
  // A violation of the policy is an error on the console too.
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`));
  page.on(
    'response',
    (response) => response.status() >= 400 && complaints.push(`${response.status()} ${response.url()}`),
  );
  await page.goto(`${rig.url}/docs`);
  await page.getByText('Exchange a one-use code for a session key').waitFor();
  const openSubmission = async () => {
    const submission = page.locator('.opblock', { hasText: 'Submit an action' });
    await submission.locator('.opblock-summary').click();
    await submission.getByText('idempotency_key_reused').waitFor();
  };
  return { page, url: rig.url, complaints, openSubmission };
}

test('/docs shows every call, and nothing it does breaks its strict policy', async () => {
  const { page, url, complaints, openSubmission } = await openDocumentation();
  await openSubmission();
  expect(await page.title()).toBe('Handrail');
  expect(complaints).toEqual([]);
  const policy = (await page.request.get(`${url}/docs`)).headers()['content-security-policy'];
  expect(policy).not.toMatch(/unsafe-|https?:|\*/);
});

test('a violation of the policy of /docs is a complaint', async () => {
  const { page, complaints } = await openDocumentation();
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.wasRun = true';
    document.head.append(script);
  });
  await expect.poll(() => complaints).toEqual([expect.stringContaining('Content Security Policy')]);
});

/** With a call opened the page shows all that it shows while every call is closed, and more. */
test.each(['light', 'dark'] as const)(
  'everybody can use /docs with a call opened: %s',
  async (theme) => {
    const { page, complaints, openSubmission } = await openDocumentation(theme);
    await openSubmission();
    const ground = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    expect(ground === 'rgb(28, 32, 34)').toBe(theme === 'dark');
    expect(await seriousFaults(page)).toEqual([]);
    expect(complaints).toEqual([]);
  },
  180_000,
);
