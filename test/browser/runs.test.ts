import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright';
import { expect, onTestFinished, test } from 'vitest';
import type { ActivityDetail } from '../../src/contract/activity.ts';
import { seriousFaults } from './accessibility.ts';
import { useRealDaemon } from './real-daemon.ts';

const data = mkdtempSync(join(tmpdir(), 'handrail-runs-'));
const { openAt, openPage, current } = useRealDaemon({}, () => data);

const HOSTILE = '<img src=x onerror="document.title=1"></pre>\u202eevil';

async function openShared() {
  const opened = await openAt();
  const { daemon, page, userId } = opened;
  await page.getByText('No requests waiting').waitFor();
  const { id: targetDeviceId } = await daemon.register(undefined, userId);
  const wait = (reason?: string) =>
    daemon.submit(
      { targetDeviceId, actionType: 'Wait', parameters: { durationMs: 1 }, ...(reason !== undefined && { reason }) },
      { userId },
    );
  return { ...opened, targetDeviceId, wait };
}

/** A run of a wait and an approved screenshot, opened by a click on its row. */
async function openRun() {
  const rig = await openShared();
  const { daemon, page, userId, targetDeviceId, wait, allow, allowIsAlive } = rig;
  await wait(HOSTILE);
  await daemon.submit({ targetDeviceId, actionType: 'TakeScreenshot', parameters: {} }, { userId });
  await allowIsAlive();
  await allow.click();
  await page.getByRole('link', { name: 'Activity', exact: true }).click();
  const row = page.locator('.today', { hasText: userId }).locator('.today-run');
  await row.filter({ hasText: '2 done' }).click();
  return { ...rig, row, moments: page.locator('.activity-detail .moment') };
}

test('a run opens as a time line with the answer and the picture, and grows while it goes on', async () => {
  const { page, moments, wait, row } = await openRun();
  expect(page.url()).toMatch(/#\/activity\/run_[0-9A-Z]{26}$/);
  await expect
    .poll(() => moments.locator('.moment-title a').allTextContents())
    .toEqual(['Wait for 1 ms', 'Take a screenshot of the main display']);
  expect(await moments.nth(1).locator('.moment-answer').textContent()).toMatch(/^You allowed it after [\d.]+ m?s\.$/);
  const picture = moments.nth(1).getByRole('img');
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  expect(await moments.nth(0).textContent()).toContain('\\u{202e}evil');
  await wait();
  await expect.poll(() => moments.count()).toBe(3);
  await row.filter({ hasText: '3 done' }).waitFor();
  expect(await seriousFaults(page)).toEqual([]);
});

test('today says of each agent what it did and where, then what you answered, and search finds the words of the prompt', async () => {
  const { daemon, page, userId, targetDeviceId, deny } = await openShared();
  await daemon.submit({ targetDeviceId, actionType: 'OpenApp', parameters: { appName: 'Text Editor' } }, { userId });
  await daemon.submit({ targetDeviceId, actionType: 'TakeScreenshot', parameters: {} }, { userId });
  await deny.click();
  await page.getByRole('link', { name: 'Activity', exact: true }).click();
  const today = page.locator('.today', { hasText: userId });
  await today.getByText('Text Editor: opened the app').waitFor();
  const moment = today.locator('.moment');
  await moment.getByText('You denied it').waitFor();
  expect(await moment.count()).toBe(1);
  await moment.getByText('Denied', { exact: true }).waitFor();
  await today
    .getByText(/, took [\d.]+ m?s · 1 denied · 1 done/)
    .or(today.getByText(/^since .*1 denied · 1 done/))
    .waitFor();
  await today.getByText('Show all 2 steps').waitFor();
  expect(await moment.locator('.moment-title a').textContent()).toBe('Take a screenshot of the main display');
  expect(await seriousFaults(page)).toEqual([]);
  await page.getByLabel('Search').fill('text editor');
  const found = page.getByRole('list', { name: 'Found steps' }).locator('.moment', { hasText: 'Open the app' });
  await expect.poll(() => found.first().locator('mark.hit').allTextContents()).toEqual(['Text', 'Editor']);
  expect(await seriousFaults(page)).toEqual([]);
  await page.getByRole('link', { name: 'Actions', exact: true }).click();
  await page.getByLabel('Search').fill(`${userId} “text editor”`);
  await expect.poll(() => page.locator('.row-details').allTextContents()).toEqual(['Open the app “Text Editor”']);
});

test('runs are found by words and by the day, both stay in the address, and the keyboard alone opens one', async () => {
  const { page, userId, wait } = await openShared();
  await wait('look for the needle');
  await page.getByRole('link', { name: 'Activity', exact: true }).click();
  const rows = page.locator('.today');
  await rows.filter({ hasText: userId }).waitFor();
  await page.getByLabel('Search').fill('the NEEDLE');
  await expect.poll(() => rows.allTextContents()).toEqual([expect.stringContaining(userId)]);
  expect(page.url()).toMatch(/#\/activity\?text=the\+NEEDLE$/);
  await page.reload();
  await expect.poll(() => rows.count()).toBe(1);
  expect(await page.getByLabel('Search').inputValue()).toBe('the NEEDLE');
  const today = await page.evaluate(() => {
    const now = new Date();
    return [now.getFullYear(), now.getMonth() + 1, now.getDate()]
      .map((part) => String(part).padStart(2, '0'))
      .join('-');
  });
  await page.getByLabel('Day', { exact: true }).fill(today);
  await expect.poll(() => page.url()).toMatch(/text=the\+NEEDLE&since=.+&until=.+$/);
  await rows.first().waitFor();
  await page.getByLabel('Day', { exact: true }).fill('2020-02-02');
  await page.getByRole('heading', { name: 'No run matches the filters' }).waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await rows.filter({ hasText: userId }).locator('.today-run').focus();
  await page.keyboard.press('Enter');
  await page.locator('.activity-detail .moment').waitFor();
  await page.keyboard.press('Tab');
  expect(await seriousFaults(page)).toEqual([]);
});

/** Presses the button and answers the text of the file. */
async function savedFile(page: Page): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as a file' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^Handrail user-\d+ \d{4}-\d\d-\d\dT\d\d-\d\d\.html$/);
  return readFileSync(await download.path(), 'utf8');
}

/** The answer of `npm run audit -- --file` for a text. */
function audited(folder: string, text: string) {
  const file = join(folder, 'run.html');
  writeFileSync(file, text);
  const program = join(import.meta.dirname, '../../src/own-daemon/audit.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, '--file', file], {
    env: { PATH: process.env.PATH, HANDRAIL_DATA_DIR: data },
    encoding: 'utf8',
  });
  return { status, words: `${stdout}${stderr}` };
}

test('S7, S8: a saved run asks for nothing, runs nothing, and the audit finds one changed byte', async () => {
  const { page, moments } = await openRun();
  await moments.nth(1).waitFor();
  const text = await savedFile(page);
  const folder = mkdtempSync(join(tmpdir(), 'handrail-run-file-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect(audited(folder, text)).toEqual({
    status: 0,
    words: expect.stringMatching(
      /^2 actions, 1 picture and \d+ rows of the journal agree in .+ key of this computer's journal/,
    ),
  });
  const at = text.indexOf('base64,') + 200;
  const changed = `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`;
  expect(audited(folder, changed)).toEqual({
    status: 1,
    words: expect.stringContaining('changed after it was sealed'),
  });
  writeFileSync(join(folder, 'run.html'), text);
  const { page: offline } = await openPage();
  await offline.context().setOffline(true);
  const asked: string[] = [];
  offline.on('request', (request) => asked.push(request.url()));
  await offline.goto(`file://${join(folder, 'run.html')}`);
  const picture = offline.getByRole('img', { name: /^Picture/ });
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  expect(asked.filter((url) => !url.startsWith('data:'))).toEqual([`file://${join(folder, 'run.html')}`]);
  expect(await offline.getByText('<img src=x onerror').count()).toBeGreaterThan(0);
  expect(await offline.locator('script').count()).toBe(0);
  expect(await offline.title()).toMatch(/^Run of user-/);
  expect(await offline.locator('img').count()).toBe(1);
  expect(await seriousFaults(offline)).toEqual([]);
});

/** A click that runs at once, and its run, opened. */
async function openClick() {
  const rig = await openShared();
  const { daemon, page, userId, targetDeviceId } = rig;
  const profile = { method: 'PUT', body: { profile: 'trusted' } };
  expect((await current().person.call(`/users/${userId}/profile`, profile)).status).toBe(200);
  const body = { targetDeviceId, actionType: 'Click', parameters: { elementId: 'window-1/1' } };
  const { body: action } = await daemon.submit(body, { userId, headers: { prefer: 'wait=10' } });
  expect(action).toMatchObject({ status: 'success' });
  await page.getByRole('link', { name: 'Activity', exact: true }).click();
  await page.locator('.today', { hasText: userId }).locator('.today-run').click();
  return { ...rig, moment: page.locator('.activity-detail .moment') };
}

/** The names of the pictures in a part of the page, and whether each is painted in its own proportions. */
async function paintedIn(part: Locator): Promise<[string, boolean][]> {
  return part.locator('.before-after img').evaluateAll((images) =>
    (images as HTMLImageElement[]).map((image) => {
      const { naturalWidth, naturalHeight, clientWidth, clientHeight } = image;
      const isWhole = naturalWidth > 0 && Math.abs(naturalWidth / naturalHeight - clientWidth / clientHeight) < 0.02;
      return [image.alt, isWhole];
    }),
  );
}

const ONCE = [['The target before and after it', true]];

test('a click that changes nothing shows its target once and says so, as soon as its pictures are there', async () => {
  const { page, moment } = await openClick();
  await expect.poll(() => paintedIn(moment)).toEqual(ONCE);
  expect(await moment.locator('figcaption').allTextContents()).toEqual(['Before and after: nothing changed here']);
  expect(await seriousFaults(page)).toEqual([]);
});

/** Makes the two pictures of each input different ones. */
async function tellDifferent(page: Page): Promise<void> {
  await page.route('**/api/console/activity/act_*', async (route) => {
    const answer = await route.fetch();
    const detail: ActivityDetail = await answer.json();
    const evidence = detail.evidence?.map((each) => ({ ...each, sha256: `${each.sha256.slice(1)}${each.role[0]}` }));
    await route.fulfill({ response: answer, json: { ...detail, evidence } });
  });
  await page.reload();
}

const BOTH = [
  ['The target before it', true],
  ['The target after it', true],
];

test('in the panel both pictures of a click stand one below the other, in line', async () => {
  const { daemon, page, moment, userId } = await openClick();
  await expect.poll(() => paintedIn(moment)).toEqual(ONCE);
  await tellDifferent(page);
  await page.setViewportSize({ width: 420, height: 700 });
  for (const place of ['', `?text=${userId}`]) {
    if (place !== '') await page.goto(`${daemon.base}/#/activity${place}`);
    const shown = page.locator(place === '' ? '.activity-detail .moment' : '.run-rows .moment').first();
    await expect.poll(() => paintedIn(shown)).toEqual(BOTH);
    const lefts = await shown
      .locator('figure img')
      .evaluateAll((images) => images.map((one) => one.getBoundingClientRect().left));
    expect(lefts[0]).toBe(lefts[1]);
  }
});

test('a click that changes something shows its target before and after it, in the time line of its run and in its own detail', async () => {
  const { page, moment } = await openClick();
  await expect.poll(() => paintedIn(moment)).toEqual(ONCE);
  await tellDifferent(page);
  await expect.poll(() => paintedIn(moment)).toEqual(BOTH);
  expect(await moment.locator('.before-after figcaption').allTextContents()).toEqual(['Before', 'After']);
  const tops = await moment
    .locator('figure')
    .evaluateAll((figures) => figures.map((one) => one.getBoundingClientRect().top));
  expect(tops[0]).toBe(tops[1]);
  expect(await seriousFaults(page)).toEqual([]);
  await moment.locator('.moment-title a').click();
  const detail = page.locator('article.detail');
  await expect.poll(() => paintedIn(detail)).toEqual(BOTH);
  expect(await seriousFaults(page)).toEqual([]);
});

test('S7: a saved run holds the pictures of a click, shows them without a network, and one changed byte is found', async () => {
  const { page, moment } = await openClick();
  await expect.poll(() => paintedIn(moment)).toEqual(ONCE);
  const text = await savedFile(page);
  const folder = mkdtempSync(join(tmpdir(), 'handrail-run-file-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const places = [...text.matchAll(/base64,/g)].map(({ index }) => index + 200);
  expect(places).toHaveLength(1);
  for (const at of places) {
    const changed = `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`;
    expect(audited(folder, changed)).toMatchObject({ status: 1 });
  }
  expect(audited(folder, text)).toEqual({
    status: 0,
    words: expect.stringMatching(/^1 action, \d pictures? and \d+ rows/),
  });
  const { page: offline } = await openPage();
  await offline.context().setOffline(true);
  await offline.goto(`file://${join(folder, 'run.html')}`);
  const picture = offline.getByRole('img', { name: 'The target before and after it' });
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  expect(await seriousFaults(offline)).toEqual([]);
});
