import { expect, test } from 'vitest';
import type { Task } from '../../src/contract/task.ts';
import { until } from '../desktop/processes.ts';
import { seriousFaults } from './accessibility.ts';
import { WINDOW } from './page-rig.ts';
import { useRealDaemon } from './real-daemon.ts';

const { current, openAt } = useRealDaemon();

const HOSTILE = '<img src=x onerror="document.title=1">\u202eevil';

/** The page of a real daemon that other tests use too, and a requester that nobody knows yet. */
async function openShared() {
  const opened = await openAt();
  await opened.page.getByText('No requests waiting').waitFor();
  const { id: deviceId } = await opened.daemon.register(undefined, opened.userId);
  return { ...opened, deviceId, rows: opened.page.locator('.activity-row') };
}

/**
 * The tests of the whole activity come first: that of an empty one, then that of all tasks. The later ones find what the earlier ones
 * have left.
 */

test('actions appear as they happen, filters stay in the address, and a row opens its whole story with the picture', async () => {
  const { daemon, page, userId, deviceId, rows, allow, allowIsAlive } = await openShared();
  await page.getByRole('link', { name: 'Activity', exact: true }).click();
  await page.getByRole('link', { name: 'Actions', exact: true }).click();
  await page.getByText('No activity yet').waitFor();
  const wait = { targetDeviceId: deviceId, actionType: 'Wait', parameters: { durationMs: 5 } };
  await daemon.submit(wait, { userId });
  await rows.filter({ hasText: 'Wait' }).waitFor();
  const shot = { targetDeviceId: deviceId, actionType: 'TakeScreenshot', parameters: {}, reason: HOSTILE };
  await daemon.submit(shot, { userId });
  await page.getByRole('button', { name: 'Review' }).click();
  await allowIsAlive();
  await allow.click();
  await page.getByRole('link', { name: 'Activity', exact: true }).click();
  await page.getByRole('link', { name: 'Actions', exact: true }).click();
  await rows.filter({ hasText: 'Take screenshot' }).filter({ hasText: 'Done' }).waitFor();
  await page.getByLabel('Type', { exact: true }).selectOption('TakeScreenshot');
  await expect.poll(() => rows.count()).toBe(1);
  expect(page.url()).toMatch(/#\/activity\?view=actions&type=TakeScreenshot$/);
  await page.reload();
  await rows.first().waitFor();
  await expect.poll(() => rows.count()).toBe(1);
  await rows.first().click();
  const detail = page.locator('.detail');
  await detail.getByRole('heading', { name: 'Take a screenshot of the main display' }).waitFor();
  await expect
    .poll(() => detail.locator('.timeline li span').allTextContents())
    .toEqual(['Requested', 'Shown to you', 'Allowed by you', 'Sent to the agent', 'Ended: done']);
  await detail.locator('.program').waitFor();
  expect(await detail.locator('blockquote').textContent()).toBe(HOSTILE.replace('\u202e', '\\u{202e}'));
  await detail.getByText(/^Journal: \d+ rows$/).click();
  await detail.getByText('action.requested').waitFor();
  const picture = detail.getByRole('img', { name: /^Screenshot/ });
  await picture.waitFor();
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  expect(await detail.locator('img').count()).toBe(1);
  expect(await seriousFaults(page)).toEqual([]);
});

test('the tasks are filtered by requester, status and time, and the filters stay in the address', async () => {
  const { daemon, page } = await openShared();
  const submit = async (userId: string, name: string, actionType: string) => {
    const { id: targetDeviceId } = await daemon.register(undefined, userId);
    const steps = [{ id: 'only', actionType, targetDeviceId, parameters: {} }];
    await daemon.call<Task>('/api/tee/tasks', { userId, body: { name, steps } });
  };
  await submit('ann', 'Describe', 'DescribeScreen');
  await submit('bob', 'Describe too', 'DescribeScreen');
  await submit('bob', 'Photograph', 'TakeScreenshot');
  await page.getByRole('link', { name: 'Activity', exact: true }).click();
  await page.getByRole('link', { name: 'Tasks' }).click();
  const names = () => page.locator('.task-row .row-details').allTextContents();
  await expect.poll(names).toEqual(['Photograph', 'Describe too', 'Describe']);
  await page.getByLabel('Requester', { exact: true }).selectOption('bob');
  await expect.poll(names).toEqual(['Photograph', 'Describe too']);
  await page.getByLabel('Status', { exact: true }).selectOption('Waiting for you');
  await expect.poll(names).toEqual(['Photograph']);
  expect(page.url()).toMatch(/#\/activity\?view=tasks&requester=bob&status=awaiting_confirmation$/);
  await page.reload();
  await expect.poll(names).toEqual(['Photograph']);
  await page.locator('.task-row').click();
  await page.locator('.step-card').waitFor();
  expect(page.url()).toMatch(/\?view=tasks&requester=bob&status=awaiting_confirmation$/);
  await page.getByLabel('Status', { exact: true }).selectOption('Failed');
  await page.getByRole('heading', { name: 'No task matches the filters' }).waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(names).toHaveLength(3);
  expect(page.url()).toMatch(/#\/activity\?view=tasks$/);
  await page.getByLabel('Time', { exact: true }).selectOption('Last 15 minutes');
  await expect.poll(() => page.url()).toMatch(/\?view=tasks&since=15m$/);
  await expect.poll(names).toHaveLength(3);
  expect(await seriousFaults(page)).toEqual([]);
});

test('a task is shown layer by layer, with the step that was denied and the one that was skipped for it', async () => {
  const { daemon, page, userId, deviceId: targetDeviceId, denyIsAlive } = await openShared();
  const steps = [
    { id: 'look', actionType: 'Wait', targetDeviceId, parameters: { durationMs: 1 } },
    { id: 'shot', actionType: 'TakeScreenshot', targetDeviceId, parameters: {}, dependsOn: ['look'] },
    { id: 'after', actionType: 'Wait', targetDeviceId, parameters: { durationMs: 1 }, dependsOn: ['shot'] },
  ];
  await daemon.call<Task>('/api/tee/tasks', { userId, body: { name: HOSTILE, steps } });
  await denyIsAlive();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Activity', exact: true }).click();
  await page.getByRole('link', { name: 'Tasks' }).click();
  await page.locator('.task-row').filter({ hasText: 'evil' }).click();
  await page.locator('.layer').nth(2).waitFor();
  await page.locator('.step-card').filter({ hasText: 'Denied' }).waitFor({ timeout: 20_000 });
  const cards = page.locator('.step-card');
  await expect.poll(() => cards.locator('.step-id').allTextContents()).toEqual(['look', 'shot', 'after']);
  await expect.poll(() => cards.locator('.status').allTextContents()).toEqual(['Done', 'Denied', 'Skipped']);
  expect(await page.locator('.detail h2').textContent()).toContain('\\u{202e}evil');
  expect(await seriousFaults(page)).toEqual([]);
});

test('the list of tasks begins with the newest 200, and shows older ones when the person asks for them', async () => {
  const { daemon, page, userId, deviceId: targetDeviceId } = await openShared();
  const names = () => page.locator('.task-row .row-details').allTextContents();
  const submit = async (name: string) => {
    const steps = [{ id: 'only', actionType: 'Wait', targetDeviceId, parameters: { durationMs: 0 } }];
    const headers = { prefer: 'wait=60' };
    await daemon.call<Task>('/api/tee/tasks', { userId, headers, body: { name, steps } });
  };
  await page.goto(`${daemon.base}/#/activity?view=tasks`);
  await page.locator('.task-row, .empty h2').first().waitFor();
  const before = await names();
  // A page that is open meanwhile takes several times as long for each task as the daemon does.
  await page.goto('about:blank');
  for (let count = 0; count < 202; count += 1) await submit(`Task ${count}`);
  await page.goto(`${daemon.base}/#/activity?view=tasks`);
  const named = (newest: number, oldest: number) => {
    return Array.from({ length: newest - oldest + 1 }, (_, index) => `Task ${newest - index}`);
  };
  await expect.poll(names).toEqual(named(201, 2));
  await page.getByRole('button', { name: 'Show older tasks' }).click();
  await expect.poll(names).toEqual([...named(201, 0), ...before]);
  expect(await page.getByRole('button', { name: 'Show older tasks' }).count()).toBe(0);
  await submit('Task 202');
  await expect.poll(names).toEqual([...named(202, 0), ...before]);
});

test('a picture has no address that opens without the key of the session', async () => {
  const { daemon, userId, deviceId: targetDeviceId, allow, allowIsAlive } = await openShared();
  const screenshot = { targetDeviceId, actionType: 'TakeScreenshot', parameters: {} };
  const { body } = await daemon.submit(screenshot, { userId });
  await allowIsAlive();
  await allow.click();
  const ended = await until('the screenshot is taken', async () => {
    const { body: now } = await daemon.call<typeof body>(`/api/tee/actions/${body.actionId}`, { userId });
    return now.artifacts?.[0];
  });
  const strangers: Record<string, string>[] = [{}, { 'x-user-id': userId }, { authorization: 'Bearer wrong' }];
  for (const headers of strangers) {
    const answer = await fetch(`${daemon.base}/api/console/artifacts/${ended.id}`, { headers });
    expect(answer.status).toBe(401);
  }
  const authorization = `Bearer ${current().person.key}`;
  const answer = await fetch(`${daemon.base}/api/console/artifacts/${ended.id}`, { headers: { authorization } });
  expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([200, ended.sizeBytes]);
});

test('a row has one line in a wide window and two in a narrow one, also when the window changes', async () => {
  const { daemon, page, userId, deviceId, rows } = await openShared();
  const describe = { targetDeviceId: deviceId, actionType: 'DescribeScreen', parameters: {} };
  for (let count = 0; count < 3; count += 1) await daemon.submit(describe, { userId });
  await page.getByRole('link', { name: 'Activity', exact: true }).click();
  await page.getByRole('link', { name: 'Actions', exact: true }).click();
  const boxOf = async (index: number) => (await rows.nth(index).boundingBox()) ?? { y: 0, height: 0 };
  /** The height of a row, and how far it is from the next one. */
  const heights = async () => [(await boxOf(1)).height, (await boxOf(2)).y - (await boxOf(1)).y];
  await rows.nth(2).waitFor();
  await expect.poll(heights).toEqual([34, 34]);
  await page.setViewportSize({ width: 420, height: 600 });
  await expect.poll(heights).toEqual([52, 52]);
  await page.setViewportSize(WINDOW);
  await expect.poll(heights).toEqual([34, 34]);
});
