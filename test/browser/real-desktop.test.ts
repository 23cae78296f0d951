import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import type { Action } from '../../src/contract/action.ts';
import { until } from '../desktop/processes.ts';
import { type RunningDaemon, startDaemonProcess } from '../e2e/daemon.ts';
import { typeCode } from './page-rig.ts';
import { handsOn } from './prompt-hands.ts';
import { useRealDaemon } from './real-daemon.ts';

const home = mkdtempSync(join(tmpdir(), 'handrail-real-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));
/** Without a driver in its environment, a daemon has the real agent on a real desktop. */
const REAL = { HOME: home, HANDRAIL_AGENT_DRIVER: '' };
const { openAt, openOwn, current } = useRealDaemon(REAL);

const screenshotOf = (targetDeviceId: string) => ({ targetDeviceId, actionType: 'TakeScreenshot', parameters: {} });

/** An action that has ended. A denial is told ten seconds after it was made; asking without a pause until then would be too much work. */
function settled(daemon: RunningDaemon, actionId: string, userId = 'ann'): Promise<Action> {
  return until('the action has ended', async () => {
    const { body } = await daemon.call<Action>(`/api/tee/actions/${actionId}`, { userId });
    return ['awaiting_confirmation', 'queued', 'running'].includes(body.status) ? undefined : body;
  });
}

test('a screenshot that the person allows in the page is really taken', async () => {
  const { daemon, userId, allow, allowIsAlive } = await openAt();
  const device = await daemon.register(undefined, userId);
  const { body: asked } = await daemon.submit(screenshotOf(device.id), { userId });
  await allowIsAlive();
  await allow.click();
  const { status, artifacts } = await settled(daemon, asked.actionId, userId);
  expect(status).toBe('success');
  const picture = await daemon.call<Uint8Array>(String(artifacts?.[0]?.url), { userId });
  expect([...picture.body.subarray(1, 4)].map((byte) => String.fromCharCode(byte)).join('')).toBe('PNG');
  expect(artifacts?.[0]).toMatchObject({ width: 1_920, height: 1_080, sizeBytes: picture.body.byteLength });
});

test('a prompt that nobody answers expires before the person’s eyes, and nothing is taken', async () => {
  const { daemon, page, userId } = await openAt();
  const device = await daemon.register(undefined, userId);
  await current().person.call('/settings', { method: 'PUT', body: { promptExpiryMs: 30_000 } });
  const { body: asked } = await daemon.submit(screenshotOf(device.id), { userId });
  await page.getByRole('alertdialog').waitFor();
  await page.getByText('No requests waiting').waitFor({ timeout: 40_000 });
  expect(await settled(daemon, asked.actionId, userId)).toMatchObject({ status: 'expired' });
});

test('offline and back: after a restart of the daemon on its port the page asks for a fresh code, and works again', async () => {
  const first = await openOwn();
  const device = await first.daemon.register();
  const { denyIsAlive } = handsOn(first.page);
  first.daemon.kill('SIGKILL');
  await first.daemon.exited;
  await first.page.getByText('Handrail does not answer.').waitFor();
  const second = await startDaemonProcess(
    { HOME: home, HANDRAIL_PORT: String(first.daemon.port) },
    first.daemon.dataDirectory,
  );
  onTestFinished(second.stop);
  await first.page.getByText('Your session has ended').waitFor();
  await typeCode(first.page, second.signInCode);
  await first.page.getByText('No requests waiting').waitFor();
  const { body: asked } = await second.submit(screenshotOf(device.id));
  await denyIsAlive();
  await first.page.keyboard.press('Escape');
  expect(await settled(second, asked.actionId)).toMatchObject({ status: 'denied' });
});
