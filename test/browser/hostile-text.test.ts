import type { Page } from 'playwright';
import { expect, onTestFinished, test } from 'vitest';
import { startDaemonProcess } from '../e2e/daemon.ts';
import { seriousFaults } from './accessibility.ts';
import { invisibleTexts, makeAnswersHostile } from './hostile-answers.ts';
import { overflow, PANEL, typeCode, usePages, WINDOW } from './page-rig.ts';
import { handsOn } from './prompt-hands.ts';

const { openPage, openDashboard } = usePages();

/** Nothing became markup, nothing is invisible, nothing sticks out, and the words are there. */
async function isShownAsText(page: Page): Promise<void> {
  expect(await page.title()).not.toContain('hacked');
  expect(await page.locator('img[src="x"]').count()).toBe(0);
  expect(await invisibleTexts(page)).toEqual([]);
  for (const viewport of [PANEL, WINDOW]) {
    await page.setViewportSize(viewport);
    expect([viewport.width, await overflow(page)]).toEqual([viewport.width, 0]);
  }
  await page.getByText('onerror=').first().waitFor({ state: 'attached' });
}

/** A daemon that has run, failed and denied something, with a task and a device. */
async function startWithHistory() {
  const daemon = await startDaemonProcess({ HANDRAIL_AGENT_DRIVER: 'fake' });
  onTestFinished(daemon.stop);
  const { id: targetDeviceId } = await daemon.register();
  const wait = { actionType: 'Wait', targetDeviceId, parameters: { durationMs: 1 } };
  await daemon.submit(wait);
  const failed = await daemon.submit({ actionType: 'OpenApp', targetDeviceId, parameters: { appName: 'no-such' } });
  const steps = [{ id: 'one', ...wait }];
  const { body: task } = await daemon.call<{ taskId: string }>('/api/tee/tasks', {
    userId: 'ann',
    body: { name: 'A task', steps },
  });
  return { daemon, targetDeviceId, actionId: failed.body.actionId, taskId: task.taskId };
}

test('hostile words of requesters, apps, windows, grants and sessions are text on every page', async () => {
  const { daemon, targetDeviceId, actionId, taskId } = await startWithHistory();
  const { page } = await openPage({ viewport: WINDOW });
  await makeAnswersHostile(page, daemon.base);
  await page.goto(daemon.base);
  await typeCode(page, daemon.signInCode);
  await page.getByText('No requests waiting').waitFor();
  for (const [place, sign] of [
    ['overview', '.contributor, .insight'],
    ['activity', '.today'],
    [`activity/${actionId.replace('act_', 'run_')}`, '.run-head h2'],
    ['activity?view=actions', '.activity-row'],
    [`activity/${actionId}`, '.detail h2'],
    ['activity?view=tasks', '.task-row'],
    [`activity/${taskId}?view=tasks`, '.step-card'],
    ['metrics/action_rate', '.parts th'],
    ['insights', '.insight'],
    ['access', '.person'],
    ['devices', '.capabilities'],
  ] as const) {
    await page.goto(`${daemon.base}/#/${place}`);
    await page.locator(sign).first().waitFor();
    await isShownAsText(page);
    expect([place, await seriousFaults(page)]).toEqual([place, []]);
  }
  const shot = {
    actionType: 'TakeScreenshot',
    targetDeviceId,
    parameters: { windowId: 'window-1' },
    reason: 'why',
  };
  await daemon.submit(shot);
  await page.getByText('wants to:').waitFor();
  await isShownAsText(page);
  expect(await seriousFaults(page)).toEqual([]);
  for (let maxWidth = 100; maxWidth < 105; maxWidth += 1) await daemon.submit({ ...shot, parameters: { maxWidth } });
  await page.getByRole('button', { name: 'Review' }).click();
  await page.locator('.flood').waitFor();
  await isShownAsText(page);
  expect(await seriousFaults(page)).toEqual([]);
  await handsOn(page).denyIsAlive();
  await page.keyboard.press('Escape');
  await page.locator('.outcome').first().waitFor();
  await isShownAsText(page);
  expect(await seriousFaults(page)).toEqual([]);
}, 240_000);

test('a hostile notice is text', async () => {
  const { page, daemon } = await openDashboard({ viewport: WINDOW });
  const title = `<img src=x onerror="document.title='hacked'">\u202e\u200bevil\n${'W'.repeat(300)}`;
  daemon.tellInsight({ insightId: 'ins_1', title });
  await page.locator('.notice').waitFor();
  await isShownAsText(page);
});
