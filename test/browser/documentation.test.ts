import { expect, onTestFinished, test } from 'vitest';
import { startRig } from '../http/rig.ts';
import { seriousFaults } from './charts-rig.ts';
import { openChromium } from './chromium.ts';

test('/docs shows every call, and nothing it does breaks its strict policy', async () => {
  const rig = await startRig();
  const chromium = await openChromium();
  onTestFinished(() => chromium.close());
  const page = await chromium.context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`));
  page.on(
    'response',
    (response) => response.status() >= 400 && complaints.push(`${response.status()} ${response.url()}`),
  );
  await page.goto(`${rig.url}/docs`);
  await page.getByText('Exchange a one-use code for a session key').waitFor();
  const submission = page.locator('.opblock', { hasText: 'Submit an action' });
  await submission.locator('.opblock-summary').click();
  await submission.getByText('idempotency_key_reused').waitFor();
  expect(await page.title()).toBe('Handrail');
  expect(complaints).toEqual([]);
  const policy = (await page.request.get(`${rig.url}/docs`)).headers()['content-security-policy'];
  expect(policy).not.toMatch(/unsafe-|https?:|\*/);
});

test.each(['light', 'dark'] as const)(
  'everybody can use /docs, closed and with a call opened: %s',
  async (colorScheme) => {
    const rig = await startRig();
    const chromium = await openChromium();
    onTestFinished(() => chromium.close());
    const page = await chromium.context.newPage();
    await page.emulateMedia({ colorScheme });
    await page.goto(`${rig.url}/docs`);
    await page.getByText('Exchange a one-use code for a session key').waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    const submission = page.locator('.opblock', { hasText: 'Submit an action' });
    await submission.locator('.opblock-summary').click();
    await submission.getByText('idempotency_key_reused').waitFor();
    expect(await seriousFaults(page)).toEqual([]);
  },
  120_000,
);
