import { expect, onTestFinished, test } from 'vitest';
import { askForSignInCode } from '../../src/own-daemon/person-call.ts';
import { startDaemonProcess } from '../e2e/daemon.ts';
import { everyFault } from './accessibility.ts';
import { usePages } from './page-rig.ts';

const { openSignedIn } = usePages();

test('the signed-in pages are listed, and each, or all others, can be ended', async () => {
  const daemon = await startDaemonProcess({ HANDRAIL_AGENT_DRIVER: 'fake' });
  onTestFinished(daemon.stop);
  const another = async () => openSignedIn(daemon.base, await askForSignInCode(daemon.dataDirectory));
  const mine = await openSignedIn(daemon.base, daemon.signInCode);
  const first = await another();
  await mine.getByRole('link', { name: 'Settings' }).click();
  const list = mine.getByRole('region', { name: 'Signed-in pages' });
  const rows = () => list.getByRole('listitem').allTextContents();
  await list.getByText('Another page').waitFor();
  await expect
    .poll(rows)
    .toEqual([
      expect.stringMatching(/^Another page: opened just now, last used just now\.End$/),
      expect.stringMatching(/^This page: opened just now, last used just now\.$/),
    ]);
  expect(await list.getByRole('button', { name: 'End all others' }).count()).toBe(0);
  expect(await everyFault(mine, 'section[aria-labelledby="sessions-title"]')).toEqual([]);
  await list.getByRole('button', { name: /^End the session opened/ }).click();
  await first.getByRole('alert').getByText('This session was ended from another page of the dashboard.').waitFor();
  await list.getByText('Another page').waitFor({ state: 'detached' });
  const others = [await another(), await another()];
  await list.getByRole('button', { name: 'End all others' }).click();
  for (const page of others) await page.getByRole('alert').getByText('was ended from another page').waitFor();
  await list.getByText('Another page').first().waitFor({ state: 'detached' });
  await expect.poll(rows).toHaveLength(1);
});
