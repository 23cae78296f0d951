import { expect, onTestFinished, test } from 'vitest';
import type { Action, ActionSubmission } from '../../src/contract/action.ts';
import type { Task } from '../../src/contract/task.ts';
import { until } from '../desktop/processes.ts';
import { startDaemonProcess } from '../e2e/daemon.ts';
import { useRealDaemon } from './real-daemon.ts';

const { openAt, openOwn } = useRealDaemon();

/** The page of a real daemon, signed in, and a requester that nobody knows yet. */
async function openReal() {
  const opened = await openAt();
  const { daemon, page, userId } = opened;
  await page.getByText('No requests waiting').waitFor();
  const { id: deviceId } = await daemon.register(undefined, userId);
  return {
    ...opened,
    deviceId,
    submit: (body: ActionSubmission) => daemon.submit(body, { userId }),
    recordOf: async ({ body }: { body: Action }): Promise<Action> =>
      (await daemon.call<Action>(`/api/tee/actions/${body.actionId}`, { userId })).body,
  };
}

const screenshot = (targetDeviceId: string) => ({ targetDeviceId, actionType: 'TakeScreenshot', parameters: {} });
const terminal = (targetDeviceId: string) => ({
  targetDeviceId,
  actionType: 'OpenApp',
  parameters: { appName: 'xterm' },
});

test('a real prompt is allowed with a click, for fifteen minutes; the grant lets the next one through until it is revoked', async () => {
  const { submit, page, deviceId, allow, allowIsAlive, notice, prompt } = await openReal();
  const first = await submit({ ...screenshot(deviceId), reason: 'to look \u202e around' });
  expect(first.body.status).toBe('awaiting_confirmation');
  await prompt.waitFor();
  await page.keyboard.press('m');
  await prompt.getByText('to look \\u{202e} around').waitFor();
  await page.getByLabel('15 minutes').check();
  await allowIsAlive();
  await allow.click();
  await notice.getByText('Allowed: Take a screenshot of the main display').waitFor();
  expect((await submit(screenshot(deviceId))).body.status).toBe('success');
  await page.getByRole('link', { name: /Access 1/ }).click();
  await page.getByRole('cell', { name: /^once/ }).waitFor();
  await page.getByRole('button', { name: /^Revoke/ }).click();
  await page.getByText('No grants').waitFor();
  expect((await submit(screenshot(deviceId))).body.status).toBe('awaiting_confirmation');
});

test('a real prompt of high risk is allowed by press and hold, by the measure of the daemon', async () => {
  const { submit, recordOf, deviceId, allowIsAlive, holdAllow, notice } = await openReal();
  const asked = await submit(terminal(deviceId));
  await allowIsAlive();
  await holdAllow();
  await notice.getByText('Allowed: Open the app “xterm”').waitFor();
  expect(await recordOf(asked)).toMatchObject({ decidedAt: expect.any(String), startedAt: expect.any(String) });
});

test('a daemon that is stopped and started again finds the page signed in, where it was, and answers of it count', async () => {
  const { daemon, page, denyIsAlive, notice } = await openOwn();
  const device = await daemon.register();
  await page.goto(`${daemon.base}/#/devices`);
  await page.getByRole('heading', { name: 'Registered devices' }).waitFor();
  daemon.kill('SIGTERM');
  await daemon.exited;
  await page.getByText('Handrail does not answer.').waitFor();
  expect(await page.getByText('could not restart').count()).toBe(0);
  const again = await startDaemonProcess(
    { HANDRAIL_AGENT_DRIVER: 'fake', HANDRAIL_PORT: String(daemon.port) },
    daemon.dataDirectory,
  );
  onTestFinished(again.stop);
  await page.getByText('Handrail does not answer.').waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'Registered devices' }).waitFor();
  expect(await page.getByRole('heading', { name: 'Sign in to Handrail' }).count()).toBe(0);
  await again.submit(screenshot(device.id));
  await page.getByRole('button', { name: 'Review' }).click();
  await denyIsAlive();
  await page.keyboard.press('Escape');
  await notice.getByText('Denied: Take a screenshot').waitFor();
});

test('Esc denies a real prompt', async () => {
  const { submit, recordOf, page, deviceId, denyIsAlive, notice } = await openReal();
  const asked = await submit(screenshot(deviceId));
  await denyIsAlive();
  await page.keyboard.press('Escape');
  await notice.getByText('Denied:').waitFor();
  expect(await recordOf(asked)).toMatchObject({ status: 'awaiting_confirmation' });
  await page.getByRole('button', { name: /^Undo the denial/ }).waitFor({ state: 'detached', timeout: 12_000 });
  await expect.poll(async () => (await recordOf(asked)).status).toBe('denied');
});

test('a real denial is undone: it is no outcome, and the prompt is allowed after all', async () => {
  const { submit, recordOf, page, deviceId, prompt, allow, allowIsAlive, denyIsAlive, notice } = await openReal();
  const asked = await submit(screenshot(deviceId));
  await denyIsAlive();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Undo the denial/ }).click();
  await prompt.waitFor();
  await allowIsAlive();
  await allow.click();
  await notice.getByText('Allowed: Take a screenshot of the main display').waitFor();
  await notice.getByRole('img', { name: /^Screenshot/ }).waitFor();
  await notice.getByText('Done', { exact: true }).waitFor();
  expect(await recordOf(asked)).toMatchObject({ status: 'success' });
  await notice.getByRole('link', { name: 'Show in Activity' }).click();
  await page.locator('.timeline').getByText('Ended: done').waitFor();
});

test('Pause is the emergency stop: what waits is ended and nothing new is taken, until Resume', async () => {
  const { submit, recordOf, page, deviceId, prompt } = await openReal();
  const asked = await submit(screenshot(deviceId));
  await prompt.waitFor();
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await page.getByRole('button', { name: 'Resume', exact: true }).first().waitFor();
  expect(await recordOf(asked)).toMatchObject({ status: 'cancelled' });
  await page.getByText('Paused. 1 request was ended; nothing was done.').waitFor();
  expect((await submit(screenshot(deviceId))).status).toBe(503);
  await page.getByRole('button', { name: 'Resume', exact: true }).click();
  await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
  const wait = { targetDeviceId: deviceId, actionType: 'Wait', parameters: { durationMs: 0 } };
  expect((await submit(wait)).body.status).toBe('success');
});

test('a prompt about a window shows its picture, which opens only with the key of the session', async () => {
  const { submit, page, userId, deviceId, allow, allowIsAlive } = await openReal();
  const asked = page.waitForResponse((response) => response.url().endsWith('/picture'));
  await submit({ ...screenshot(deviceId), parameters: { windowId: 'window-1' } });
  const image = page.getByRole('img', { name: 'The window as it is now' });
  await image.waitFor();
  await expect.poll(() => image.evaluate((each: HTMLImageElement) => each.naturalWidth)).toBe(320);
  const address = (await asked).url();
  const strangers: Record<string, string>[] = [{}, { 'x-user-id': userId }, { authorization: 'Bearer wrong' }];
  for (const headers of strangers) expect((await fetch(address, { headers })).status).toBe(401);
  expect((await asked).headers()).toMatchObject({ 'content-type': 'image/jpeg', 'cache-control': 'no-store' });
  // The line about the program is longer on some machines.
  await page.locator('.prompt-body').evaluate((body) => body.scrollTo(0, body.scrollHeight));
  await allowIsAlive();
  await allow.click();
  await image.waitFor({ state: 'detached' });
});

test('an opened step of a plan shows the place of its click, outlined, and only with the key of the session', async () => {
  const { daemon, userId, page, deviceId: targetDeviceId, prompt } = await openReal();
  const click = { id: 'click', actionType: 'Click', targetDeviceId, parameters: { x: 300, y: 200 } };
  const steps = [click, { id: 'shell', ...terminal(targetDeviceId), dependsOn: ['click'] }];
  await daemon.call<Task>('/api/tee/tasks', { userId, body: { name: 'Click', steps } });
  await prompt.getByRole('heading', { name: 'Click 1 control, open 1 app', exact: true }).waitFor();
  const asked = page.waitForResponse((response) => response.url().endsWith('/picture?step=click'));
  await prompt.locator('.plan-line').first().click();
  const image = page.getByRole('img', { name: 'The place on the screen as it is now' });
  await image.waitFor();
  await expect.poll(() => image.evaluate((each: HTMLImageElement) => each.naturalWidth)).toBeGreaterThan(100);
  expect(await prompt.locator('.step-facts .outlines').count()).toBe(1);
  const address = (await asked).url();
  const strangers: Record<string, string>[] = [{}, { 'x-user-id': userId }];
  for (const headers of strangers) expect((await fetch(address, { headers })).status).toBe(401);
  await page.getByRole('button', { name: 'Deny esc' }).click();
});

test('a real plan is read step by step and allowed once, by a hold as its highest risk asks; then the agent gets its steps in order', async () => {
  const { daemon, userId, page, deviceId: targetDeviceId, prompt, allowIsAlive, holdAllow, notice } = await openReal();
  const steps = [
    { id: 'wait', actionType: 'Wait', targetDeviceId, parameters: { durationMs: 0 } },
    { id: 'shot', ...screenshot(targetDeviceId), dependsOn: ['wait'] },
    { id: 'shell', ...terminal(targetDeviceId), dependsOn: ['shot'] },
  ];
  const { body: task } = await daemon.call<Task>('/api/tee/tasks', { userId, body: { name: 'Look', steps } });
  await prompt.getByRole('heading', { name: 'Take screenshot, open 1 app', exact: true }).waitFor();
  // The prompt is made anew once the program is known.
  await prompt.locator('.who strong').nth(1).waitFor();
  expect(await prompt.locator('.plan-line').count()).toBe(3);
  await allowIsAlive();
  await holdAllow();
  await notice.getByText('Allowed: Take screenshot, open 1 app').waitFor();
  const ended = await until('the task ends', async () => {
    const { body } = await daemon.call<Task>(`/api/tee/tasks/${task.taskId}`, { userId });
    return body.finishedAt === undefined ? undefined : body;
  });
  expect(ended.steps).toMatchObject([
    { id: 'wait', status: 'success', attempts: 1 },
    { id: 'shot', status: 'success', attempts: 1 },
    { id: 'shell', status: 'success', attempts: 1 },
  ]);
  const [first = 0, second = 0, third = 0] = ended.steps.map(({ startedAt }) => Date.parse(String(startedAt)));
  expect(first <= second && second <= third).toBe(true);
  await page.getByText('No requests waiting').waitFor();
});
