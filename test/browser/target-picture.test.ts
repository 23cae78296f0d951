import { expect, onTestFinished, test } from 'vitest';
import { startDaemonProcess } from '../e2e/daemon.ts';
import { typeCode, usePages, WINDOW } from './page-rig.ts';
import { handsOn } from './prompt-hands.ts';

const { openPage } = usePages();

test('a prompt about a window shows its picture, which opens only with the key of the session', async () => {
  const daemon = await startDaemonProcess({ HANDRAIL_AGENT_DRIVER: 'fake' });
  onTestFinished(daemon.stop);
  const { page } = await openPage({ viewport: WINDOW });
  await page.goto(daemon.base);
  await typeCode(page, daemon.signInCode);
  await page.getByText('No requests waiting').waitFor();
  const { id: targetDeviceId } = await daemon.register();
  const asked = page.waitForResponse((response) => response.url().endsWith('/picture'));
  const parameters = { windowId: 'window-1' };
  await daemon.submit({ targetDeviceId, actionType: 'TakeScreenshot', parameters });
  const image = page.getByRole('img', { name: 'The window as it is now' });
  await image.waitFor();
  await expect.poll(() => image.evaluate((each: HTMLImageElement) => each.naturalWidth)).toBe(320);
  const address = (await asked).url();
  for (const headers of [{}, { 'x-user-id': 'ann' }, { authorization: 'Bearer wrong' }])
    expect((await fetch(address, { headers })).status).toBe(401);
  expect((await asked).headers()).toMatchObject({ 'content-type': 'image/jpeg', 'cache-control': 'no-store' });
  const { allow, allowIsAlive } = handsOn(page);
  await allowIsAlive();
  await allow.click();
  await image.waitFor({ state: 'detached' });
});
