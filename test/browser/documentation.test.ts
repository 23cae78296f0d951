import { expect, onTestFinished, test } from 'vitest';
import { startRig } from '../http/rig.ts';
import { seriousFaults } from './accessibility.ts';
import { openChromium } from './chromium.ts';

/** The API page in a browser of its own, with everything that the browser complains of. */
async function openDocumentation(colorScheme: 'light' | 'dark' = 'light') {
  const rig = await startRig();
  const chromium = await openChromium();
  onTestFinished(() => chromium.close());
  const page = await chromium.context.newPage();
  await page.emulateMedia({ colorScheme });
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

const STATES = (['light', 'dark'] as const).flatMap((theme) => [
  { theme, state: 'closed' },
  { theme, state: 'with a call opened' },
]);

test.each(STATES)(
  'everybody can use /docs: $theme, $state',
  async ({ theme, state }) => {
    const { page, complaints, openSubmission } = await openDocumentation(theme);
    if (state !== 'closed') await openSubmission();
    expect(await seriousFaults(page)).toEqual([]);
    expect(complaints).toEqual([]);
  },
  180_000,
);
