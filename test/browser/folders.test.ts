import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { until } from '../desktop/processes.ts';
import { startDaemonProcess } from '../e2e/daemon.ts';
import { seriousFaults } from './accessibility.ts';
import { typeCode, usePages, WINDOW } from './page-rig.ts';

const { openPage } = usePages();

test('a folder is allowed and removed on the page, a secret one is refused, and a prompt names the real path', async () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'handrail-folders-')));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  for (const folder of ['work', '.ssh']) mkdirSync(join(home, folder));
  writeFileSync(join(home, 'letter.txt'), 'letter');
  const daemon = await startDaemonProcess({ HANDRAIL_AGENT_DRIVER: 'fake', HOME: home });
  onTestFinished(daemon.stop);
  // Only the agent knows where a folder leads.
  await until('the agent is online', async () => (await daemon.health()).body.checks.agent === 'online');
  const { page } = await openPage({ viewport: WINDOW });
  await page.goto(daemon.base);
  await typeCode(page, daemon.signInCode);
  await page.getByText('No requests waiting').waitFor();
  await page.getByRole('link', { name: 'Access', exact: true }).click();
  const section = page.getByRole('region', { name: 'Folders' });
  await section.getByText('No folders are allowed.').waitFor();
  const form = section.getByRole('form', { name: 'Allow a folder' });
  await form.getByLabel('Folder').fill('~/.ssh');
  await form.getByLabel('For').fill('ann');
  await form.getByRole('button').click();
  await form.getByRole('alert').getByText('is a secret place').waitFor();
  await form.getByLabel('Folder').fill('~/work');
  await form.getByLabel('Access').selectOption('read and write');
  await form.getByRole('button').click();
  await section.getByRole('row', { name: /ann read and write/ }).waitFor();
  await expect.poll(() => section.locator('.grant-literal').allTextContents()).toEqual([join(home, 'work')]);
  expect(await seriousFaults(page)).toEqual([]);
  await section.getByRole('button', { name: /^Remove: .*work for ann$/ }).click();
  await section.getByText('No folders are allowed.').waitFor();
  const { id: targetDeviceId } = await daemon.register();
  const parameters = { path: '~/work/../letter.txt' };
  await daemon.submit({ targetDeviceId, actionType: 'ReadFile', parameters });
  await page.getByRole('link', { name: /^Requests/ }).click();
  const prompt = page.getByRole('alertdialog');
  await prompt.getByText(`Read “letter.txt” in ${home}`).waitFor();
});
