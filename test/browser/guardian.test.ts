import type { Page } from 'playwright';
import { beforeAll, expect, test } from 'vitest';
import type { RunningDaemon } from '../e2e/daemon.ts';
import { useRealDaemon } from './real-daemon.ts';

const { openAt, current } = useRealDaemon();

/**
 * The daemon of all tests has some history: twelve waits of ann that succeeded. The first tests here count prompts and requesters of the
 * whole daemon, so those that add some come after them. The one that raises the risk comes last.
 */
let deviceId = '';
beforeAll(async () => {
  const { daemon } = current();
  deviceId = (await daemon.register()).id;
  for (let durationMs = 0; durationMs < 12; durationMs += 1) {
    await daemon.submit({ targetDeviceId: deviceId, actionType: 'Wait', parameters: { durationMs } });
  }
});

const go = (page: Page, name: string) => page.getByRole('link', { name }).click();

/** Broken rules of the controls raise the risk: calls that show wrong console keys. */
async function guessKeys({ base }: RunningDaemon, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const headers = { authorization: `Bearer ${'A'.repeat(42)}${index}` };
    expect((await fetch(`${base}/api/console/status`, { headers })).status).toBe(401);
  }
}

test('the metrics page shows all 23 in their groups, each with its value or why there is none', async () => {
  const { page } = await openAt();
  await go(page, 'Metrics');
  await page.getByRole('heading', { name: 'Your oversight' }).waitFor();
  await expect.poll(() => page.locator('.metric').count()).toBe(23);
  const requested = page.locator('.metric', { hasText: 'Most actions requested within one minute' });
  expect(await requested.locator('.metric-value').textContent()).toBe('12');
  const latency = page.locator('.metric', { hasText: 'Typical answer time' });
  expect(await latency.textContent()).toContain('Not enough data');
});

test('the overview says the risk in words, and how the person answered', async () => {
  const { daemon, page, allow, allowIsAlive } = await openAt();
  await daemon.submit({ targetDeviceId: deviceId, actionType: 'TakeScreenshot', parameters: {} });
  await allowIsAlive();
  await allow.click();
  await go(page, 'Overview');
  await page.getByRole('heading', { name: /^Low risk \d+ of 100$/ }).waitFor();
  await page.getByText('You approved 1 of 1 request.').waitFor();
  expect(page.url()).toMatch(/#\/overview$/);
});

test('the overview lists one cause once: its warnings are in one entry, and those of an insight are with it', async () => {
  const { page } = await openAt();
  const at = new Date().toISOString();
  const warning = (metricType: string, message: string) => ({ metricType, status: 'watch', message, since: at });
  const insight = (title: string, metricType: string) => ({
    id: title,
    title,
    metricTypes: [metricType],
    category: 'safety',
    severity: 'warning',
    detail: 'Look at it.',
    evidence: [],
    actionable: false,
    firstSeen: at,
    lastSeen: at,
    count: 1,
    status: 'open',
  });
  await page.route('**/api/guardian/dashboard*', async (route) => {
    const answer = await route.fetch();
    const warnings = [
      warning('irreversible_executions', '22 without undo'),
      warning('action_success_rate', 'Half of the actions failed'),
      warning('confirmation_prompt_rate', '25 prompts an hour'),
      warning('action_retry_rate', 'A third was retried'),
    ];
    const insights = [insight('105 prompts', 'confirmation_prompt_rate'), insight('90 at once', 'action_burst_peak')];
    await route.fulfill({ response: answer, json: { ...(await answer.json()), warnings, insights } });
  });
  await go(page, 'Overview');
  const alarms = page.locator('.alarm');
  await alarms.first().waitFor();
  expect(await alarms.locator('.warning-row > span:first-child').allInnerTexts()).toEqual([
    '▲ Half of the actions failed',
    '▲ A third was retried',
  ]);
  expect(await alarms.count()).toBe(1);
  const cards = page.locator('.insight');
  expect(await cards.count()).toBe(1);
  expect(await cards.locator('.also li').allInnerTexts()).toEqual([
    '90 at once',
    '22 without undo',
    '25 prompts an hour',
  ]);
});

test('a request that comes while another page is open is announced there, and Review leads to it', async () => {
  const { daemon, page, userId, prompt } = await openAt();
  await go(page, 'Metrics');
  const { id: targetDeviceId } = await daemon.register(undefined, userId);
  await daemon.submit({ targetDeviceId, actionType: 'TakeScreenshot', parameters: {} }, { userId });
  const bar = page.getByRole('alert').filter({ hasText: 'wants to: Take a screenshot of the main display' });
  await bar.waitFor();
  expect(await page.title()).toBe('(1) Handrail · Metrics');
  await bar.getByRole('button', { name: 'Review' }).click();
  await prompt.waitFor();
  expect(page.url()).toMatch(/#\/requests$/);
});

test('guessed console keys appear on the overview with their cause, and can be marked as known', async () => {
  const { daemon, page } = await openAt();
  await guessKeys(daemon, 20);
  await go(page, 'Overview');
  const cause = page.locator('.contributor', { hasText: 'console' });
  await cause.waitFor({ timeout: 30_000 });
  await cause.getByRole('button', { name: 'Expected. Mute for a day' }).click();
  await page.getByRole('button', { name: 'Unmute' }).waitFor();
  await cause.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Unmute' }).click();
  await cause.waitFor();
});
