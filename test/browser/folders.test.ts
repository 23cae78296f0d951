import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startDaemonProcess } from '../e2e/daemon.ts';
import { seriousFaults } from './accessibility.ts';
import { usePages, WINDOW } from './page-rig.ts';

const { openSignedIn } = usePages();

/** The page of access of a real daemon whose home folder has two folders and a file. */
async function openAccess(viewport: { width: number; height: number }) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'handrail-folders-')));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  for (const folder of ['work', '.ssh']) mkdirSync(join(home, folder));
  writeFileSync(join(home, 'letter.txt'), 'letter');
  const daemon = await startDaemonProcess({ HANDRAIL_AGENT_DRIVER: 'fake', HOME: home });
  onTestFinished(daemon.stop);
  // Only the agent knows where a folder leads.
  await daemon.agentOnline();
  const page = await openSignedIn(daemon.base, daemon.signInCode, { viewport });
  await page.getByRole('link', { name: 'Access', exact: true }).click();
  const section = page.getByRole('region', { name: 'Folders' });
  return { home, daemon, page, section };
}

test('a folder is allowed and removed on the page, a secret one is refused, and a prompt names the real path', async () => {
  const { daemon, page, section } = await openAccess(WINDOW);
  await section.getByText('No folders are allowed.').waitFor();
  const form = section.getByRole('form', { name: 'Allow a folder' });
  await form.getByLabel('Folder').fill('~/.ssh');
  await form.getByLabel('For').fill('ann');
  await form.getByText('No requester is called ann yet. Check the name.').waitFor();
  await form.getByRole('button').click();
  await form.getByRole('alert').getByText('is a secret place').waitFor();
  await form.getByLabel('Folder').fill('~/work');
  await form.getByLabel('Access').selectOption('read and write');
  await form.getByRole('button').click();
  await section.getByRole('row', { name: /ann read and write/ }).waitFor();
  await expect.poll(() => section.locator('tbody th').allTextContents()).toEqual(['~/work']);
  expect(await seriousFaults(page)).toEqual([]);
  await section.getByRole('button', { name: /^Remove: .*work for ann$/ }).click();
  await section.getByText('No folders are allowed.').waitFor();
  const { id: targetDeviceId } = await daemon.register();
  const parameters = { path: '~/work/../letter.txt' };
  await daemon.submit({ targetDeviceId, actionType: 'ReadFile', parameters });
  await page.getByRole('link', { name: /^Requests/ }).click();
  const prompt = page.getByRole('alertdialog');
  await prompt.getByText(`Read “letter.txt” in ~`).waitFor();
});

test('a path takes a new line after a slash, and not after a hyphen', async () => {
  const { home, section } = await openAccess({ width: 420, height: 700 });
  const folder = join(home, 'reports-of-the-quarter', 'second-half-of-the-year', 'all-of-the-departments');
  mkdirSync(folder, { recursive: true });
  await section.getByLabel('Folder', { exact: true }).fill(folder);
  await section.getByLabel('For').fill('ann');
  await section.getByRole('button', { name: 'Allow the folder' }).click();
  const path = section.locator('tbody th');
  expect(await path.textContent()).toBe(folder.replace(home, '~'));
  const parts = await path.locator('.unbroken').evaluateAll((all) => all.map((one) => one.getBoundingClientRect()));
  expect(new Set(parts.map(({ height }) => height)).size).toBe(1);
  expect(new Set(parts.map(({ y }) => y)).size).toBeGreaterThan(1);
});
