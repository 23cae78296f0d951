import { expect, test } from 'vitest';
import { seriousFaults } from './accessibility.ts';
import { newRequester } from './made-up.ts';
import { usePages } from './page-rig.ts';

const { openDashboard, openOwnDashboard } = usePages();

test('Pause stops everything with one click, and it stays so until Resume', async () => {
  const { page, daemon } = await openDashboard();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Handrail accepts nothing until you resume').waitFor();
  expect(daemon.status().paused).toBe(true);
  await page.reload();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  expect(daemon.status().paused).toBe(false);
});

test('how the rail stands is said in a word', async () => {
  const { page, daemon } = await openDashboard();
  const statusLine = page.locator('.status-line');
  await expect.poll(() => statusLine.textContent()).toBe('Ready');
  daemon.set({ running: 2 });
  await statusLine.getByText('2 running').waitFor();
  daemon.ask();
  await statusLine.getByText('Waiting for you').waitFor();
  await expect.poll(() => page.title()).toBe('(1) Handrail · Requests');
});

test('the person starts an agent that could not restart with the button of its banner', async () => {
  const { page, daemon } = await openDashboard();
  daemon.set({ agent: 'offline' });
  await page.getByText('The agent stopped and could not restart').waitFor();
  await expect.poll(() => page.locator('.status-line').textContent()).toBe('Agent offline');
  await page.getByRole('button', { name: 'Start the agent again' }).click();
  await page.getByText('The agent is being started.').waitFor();
  await page.getByText('could not restart').waitFor({ state: 'detached' });
  expect(daemon.status().agent).toBe('starting');
});

test('a daemon that stops is not taken for an agent that could not restart', async () => {
  const { page, daemon, stop } = await openOwnDashboard();
  daemon.set({ agent: 'offline' });
  await page.getByText('could not restart').waitFor();
  await stop();
  await page.getByText('Handrail does not answer.').waitFor();
  await page.getByText('could not restart').waitFor({ state: 'detached' });
  expect(await page.locator('.status-line').textContent()).toBe('Disconnected');
});

test('a paused requester is named with the reason, and can be resumed', async () => {
  const { page, daemon } = await openDashboard();
  daemon.set({ requesters: [newRequester('ann', 'Three denials in a row.')] });
  await page.getByText('ann is paused: Three denials in a row.').waitFor();
  await page.getByRole('button', { name: 'Resume ann' }).click();
  await page.getByText('ann may ask again.').waitFor();
  await page.getByText('ann is paused').waitFor({ state: 'detached' });
});

test('A25: after a stolen code the page names the changes, and one button takes all of them back', async () => {
  const { page, daemon } = await openDashboard();
  const changes = ['Grant: “bob” can take screenshots.', 'Profile of “ann”: trusted'];
  daemon.set({ stolenSession: { since: new Date().toISOString(), changes } });
  const banner = page.locator('.banner', { hasText: 'A sign-in code was used twice' });
  await banner.getByText('“bob” can take screenshots. · Profile of “ann”: trusted').waitFor();
  expect(await seriousFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Take all of it back' }).click();
  await page.getByText('All of it is taken back.').waitFor();
  await banner.waitFor({ state: 'detached' });
  expect(daemon.answers).toEqual(['take_back']);
});

test('A21: the page says which access ended because the dashboard was opened in its app', async () => {
  const { page, daemon } = await openDashboard();
  daemon.set({ endedAccess: ['“ann” may click and type in “Chromium”.'] });
  await page.getByText('This access ended because the dashboard is open in that app: “ann” may click').waitFor();
});

test('what Guardian tells stays in view until it is closed, and then the person knows of it', async () => {
  const { page, daemon } = await openDashboard();
  daemon.tellInsight({ insightId: 'ins_1', title: '41 of 41 approvals, median 1.1 s' });
  await page.getByRole('status').getByText('41 of 41 approvals, median 1.1 s').waitFor();
  expect(daemon.acknowledged).toEqual([]);
  await page.getByRole('button', { name: 'Close this message' }).click();
  await page.getByText('41 of 41 approvals').waitFor({ state: 'detached' });
  await expect.poll(() => daemon.acknowledged).toEqual(['ins_1']);
});

test('every grant is listed with its use and its end, and one click revokes it', async () => {
  // A narrow window shows no number at Access.
  const { page, daemon } = await openDashboard({ viewport: { width: 1280, height: 800 } });
  const { literal } = daemon.grant();
  daemon.grant({ literal: 'ann may open TextEdit, always', userId: 'ann', useCount: 0 });
  await page.getByRole('link', { name: /Access 2/ }).click();
  const row = page.getByRole('row').filter({ hasText: literal });
  expect(await row.textContent()).toMatch(/3 times, last [12] minutes? ago.*in \d+ minutes/);
  expect(await page.getByRole('row').filter({ hasText: 'ann may open' }).textContent()).toContain('not again yet');
  await row.getByRole('button', { name: `Revoke: ${literal}` }).click();
  await page.getByText(`Revoked: ${literal}`).waitFor();
  await row.waitFor({ state: 'detached' });
  expect(daemon.grants.list()).toHaveLength(1);
});

test('a daemon that goes away is said so, nothing can be answered meanwhile, and it is found again', async () => {
  const { page, daemon, stop, start, positions, allowIsAlive, allow, clickAt, prompt } = await openDashboard();
  const { id } = daemon.ask();
  await allowIsAlive();
  const seen = daemon.status().lastEventId;
  await stop();
  await page.getByText('Handrail does not answer. What you see').waitFor();
  await page.getByText("Handrail doesn't respond. You can answer once it is back.").waitFor();
  await clickAt(allow);
  await page.keyboard.press('Escape');
  await expect.poll(() => page.locator('.status-line').textContent()).toBe('Disconnected');
  await start();
  await page.getByText('Handrail does not answer. What you see').waitFor({ state: 'detached' });
  await prompt.waitFor();
  await allowIsAlive();
  expect(daemon.answers).toEqual([]);
  expect(daemon.shownCount(id)).toBe(2);
  expect(positions[0]).toBeUndefined();
  expect(new Set(positions.slice(1))).toEqual(new Set([seen]));
});

test('while the daemon does not answer, the page does not say that no request waits', async () => {
  const { page, stop, start } = await openDashboard();
  await stop();
  await page.getByRole('heading', { name: 'Not connected' }).waitFor();
  expect(await page.getByText('No requests waiting').count()).toBe(0);
  await start();
  await page.getByText('No requests waiting').waitFor();
});

test('a daemon without a stream of events is asked every second', async () => {
  const { daemon, prompt } = await openOwnDashboard({ stream: 'none' });
  daemon.ask();
  await prompt.waitFor();
});

test('several problems are one line, which opens to each with its button', async () => {
  const { page, daemon } = await openDashboard();
  daemon.set({ requesters: [newRequester('bob', 'Three denials in a row.'), newRequester('eve', 'You paused it.')] });
  const banners = page.locator('.banner');
  await expect.poll(() => banners.allTextContents()).toEqual(['2 pausedShow']);
  daemon.tellInsight({ insightId: 'ins_1', title: '41 of 41 approvals, median 1.1 s' });
  await expect.poll(() => banners.allTextContents()).toEqual(['2 paused · 1 insightShow']);
  expect(await page.locator('.notice').count()).toBe(0);
  await page.getByRole('button', { name: 'Show the problems' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Resume eve' }).waitFor();
  expect(await banners.count()).toBe(4);
  await page.getByRole('button', { name: 'Close this message' }).click();
  await expect.poll(() => banners.first().textContent()).toBe('2 pausedHide');
  expect(await seriousFaults(page)).toEqual([]);
});
