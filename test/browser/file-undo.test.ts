import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { until } from '../desktop/processes.ts';
import { type FilesRig, NOTES_TEXT, startFilesRig } from '../e2e/files-rig.ts';
import { seriousFaults } from './accessibility.ts';
import type { Look } from './kept-page.ts';
import { PANEL, typeCode, usePages, WINDOW } from './page-rig.ts';

const { openKept } = usePages();
/** The rig of the tests that do not fill the store of former versions. */
let shared: FilesRig | undefined;
afterAll(() => shared?.stop());

async function startRig(): Promise<FilesRig> {
  const rig = await startFilesRig();
  await rig.allow('~/work');
  return rig;
}

/** The page Activity of a real daemon, whose person also answers prompts by calls. */
async function openActivity(rig: FilesRig, look: Look): Promise<Page> {
  const signIn = async (page: Page) => typeCode(page, await rig.newCode());
  const { page } = await openKept(`${rig.daemon.base}/#/activity?view=actions`, signIn, look);
  return page;
}

async function openShared(look: Look) {
  shared ??= await startRig();
  return { rig: shared, page: await openActivity(shared, look) };
}

const overwrite = (rig: FilesRig, content = 'written by ann') =>
  rig.run('WriteFile', { path: '~/work/notes.txt', content, overwrite: true });
const notes = (rig: FilesRig) => readFileSync(rig.at('work/notes.txt'), 'utf8');

test.each([
  ['window', { viewport: WINDOW, colorScheme: 'light' }],
  ['panel', { viewport: PANEL, colorScheme: 'dark' }],
] as const)(
  'in a %s, the row of an action puts its file back, and the button is gone after that',
  async (_name, options) => {
    const { rig, page } = await openShared(options);
    await overwrite(rig);
    const button = page.getByRole('button', { name: `Put the file back: ${rig.at('work/notes.txt')}` });
    await button.waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await button.click();
    await page.getByText('The file is back: ~/work/notes.txt').waitFor();
    expect(notes(rig)).toBe(NOTES_TEXT);
    await button.waitFor({ state: 'detached' });
  },
);

test('the page of an action puts its file back by keyboard, tells why it cannot, and tells that it did', async () => {
  const { rig, page } = await openShared({ viewport: WINDOW });
  const { actionId } = await rig.run('TrashFile', { path: '~/work/notes.txt' });
  writeFileSync(rig.at('work/notes.txt'), 'another');
  await page.locator('.activity-row').filter({ hasText: 'Trash file' }).click();
  const detail = page.locator('.detail');
  const button = detail.getByRole('button', { name: 'Put the file back' });
  await button.waitFor();
  await button.focus();
  await page.keyboard.press('Enter');
  await page.getByText(/^Another file is at .* now, so the trashed one stays in the trash\./).waitFor();
  expect(notes(rig)).toBe('another');
  await rig.run('TrashFile', { path: '~/work/notes.txt' });
  await button.click();
  await page.getByText('The file is back: ~/work/notes.txt').waitFor();
  await detail.getByText('Put back by you').waitFor();
  expect(notes(rig)).toBe(NOTES_TEXT);
  expect(page.url()).toContain(actionId);
  await detail.getByText(/^Journal: \d+ rows$/).click();
  await detail.getByText('file.undone').waitFor();
  expect(await seriousFaults(page)).toEqual([]);
});

test('the page of an action says that undo is gone and why, once the copy of its file had to make room', async () => {
  const rig = await startRig();
  onTestFinished(rig.stop);
  const page = await openActivity(rig, { viewport: WINDOW });
  const { actionId } = await overwrite(rig);
  fillFormerVersions(rig);
  await overwrite(rig, 'written again');
  await until('the oldest former version is removed', async () => {
    const { undo } = await rig.actionOf({ actionId });
    return undo?.formerRemovedAt;
  });
  await page.evaluate((hash) => window.location.assign(hash), `#/activity/${actionId}`);
  const detail = page.locator('.detail');
  await detail
    .getByText(/^This cannot be undone any longer: Handrail keeps at most 1 GiB and 1,000 former versions,/)
    .waitFor();
  expect(await detail.getByRole('button', { name: 'Put the file back' }).count()).toBe(0);
  expect(await seriousFaults(page)).toEqual([]);
});

/** The only former version so far now has the size that all of them may have together. It takes no room on the disk. */
function fillFormerVersions({ daemon }: FilesRig): void {
  const folder = join(daemon.dataDirectory, 'former-versions');
  for (const name of readdirSync(folder)) truncateSync(join(folder, name), 1024 ** 3);
}
