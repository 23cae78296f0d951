import { execFileSync } from 'node:child_process';
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { seriousFaults } from './accessibility.ts';
import { newRequester } from './made-up.ts';
import { LOOKS, overflow, WINDOW } from './page-rig.ts';
import { useRealDaemon } from './real-daemon.ts';

const { openDashboard, openOwn } = useRealDaemon();
const HOSTILE = 'mcp:<b>bold</b>\u202e';

function cardOn(page: Page) {
  const card = page.getByRole('region', { name: 'Connect an agent' });
  return { card, command: card.locator('.key'), state: card.getByRole('status') };
}

/** The entry that the command prints in another folder, as a person runs it. */
function printedBy(command: string): unknown {
  const output = execFileSync('/bin/sh', ['-c', `${command} --print`], { cwd: '/', env: { PATH: process.env.PATH } });
  return JSON.parse(output.toString());
}

/** A requester that appeared `ago` seconds before now. */
function known(userId: string, ago = 0) {
  return { ...newRequester(userId), knownSince: new Date(Date.now() - ago * 1_000).toISOString() };
}

test('a person without requesters chooses a client and copies the command for it', async () => {
  const { page } = await openDashboard({ viewport: WINDOW });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const { card, command } = cardOn(page);
  await expect.poll(() => command.textContent()).toBe('node /opt/handrail/src/launch/handrail.cjs connect claude-code');
  const commands: Record<string, string | undefined> = {};
  for (const client of await card.locator('.connect-client').all()) {
    await client.getByRole('radio').check();
    commands[String(await client.textContent())] = (await command.textContent())?.split(' ').at(-1);
  }
  expect(commands).toEqual({
    'Claude Code': 'claude-code',
    'Claude Desktop': 'claude-desktop',
    Cursor: 'cursor',
    'VS Code': 'vscode',
    Codex: 'codex',
    Goose: 'goose',
  });
  await card.getByRole('button', { name: 'Copy the command' }).click();
  await page.locator('.notice').getByText('The command is on the clipboard.').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    'node /opt/handrail/src/launch/handrail.cjs connect goose',
  );
});

test('the keyboard alone chooses a client and reaches the button that copies', async () => {
  const { page } = await openDashboard({ viewport: WINDOW });
  const { card, command } = cardOn(page);
  await command.waitFor();
  await card.getByRole('radio', { name: 'Claude Code' }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => command.textContent()).toMatch(/ connect cursor$/);
  await page.keyboard.press('Tab');
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await expect.poll(focused).toBe('Copy the command');
});

test('the first call is told by the name of the requester as text, and stays after the prompt it led to', async () => {
  const { page, daemon } = await openDashboard({ viewport: WINDOW });
  const { card, state } = cardOn(page);
  await expect.poll(() => state.textContent()).toBe('Waiting for the first call…');
  daemon.set({ requesters: [known('mcp:claude-code')] });
  await card.getByText('“claude-code” is connected').waitFor();
  const { id } = daemon.ask();
  await card.waitFor({ state: 'detached' });
  daemon.end(id, 'denied');
  await card.getByText('“claude-code” is connected').waitFor();
  daemon.set({ requesters: [known(HOSTILE), known('mcp:claude-code', 60)] });
  await card.getByText('“<b>bold</b>\\u{202e}” is connected').waitFor();
  expect(await card.locator('b').count()).toBe(0);
  await card.getByRole('button', { name: 'Close Connect an agent' }).click();
  await page.getByRole('button', { name: 'Connect an agent' }).click();
  await expect.poll(() => state.textContent()).toBe('Waiting for the first call…');
});

test('of many names that appear at once the latest three are shown', async () => {
  const { page, daemon } = await openDashboard({ viewport: WINDOW });
  const { card, state } = cardOn(page);
  await card.waitFor();
  await expect.poll(() => state.textContent()).toBe('Waiting for the first call…');
  daemon.set({ requesters: [5, 4, 3, 2, 1].map((ago) => known(`made-up-${ago}`, ago)) });
  await card.getByText('and 2 more').waitFor();
  expect(await state.locator('p:not(.hint)').allTextContents()).toEqual([
    '“made-up-3” is connected',
    '“made-up-2” is connected',
    '“made-up-1” is connected',
  ]);
});

test('a person with requesters sees a button instead, and an old requester is not told as new', async () => {
  const { page, daemon } = await openDashboard({ viewport: WINDOW });
  daemon.set({ requesters: [known('ann', 100)] });
  await page.getByText('“ann” is connected').waitFor();
  await page.reload();
  const { card, state } = cardOn(page);
  await page.getByRole('button', { name: 'Connect an agent' }).click();
  await expect.poll(() => state.textContent()).toBe('Waiting for the first call…');
  daemon.set({ requesters: [known('old', 500), known('ann', 100)] });
  daemon.set({ requesters: [known('me'), known('old', 500), known('ann', 100)] });
  await card.getByText('“me” is connected').waitFor();
  expect(await state.locator('p:not(.hint)').allTextContents()).toEqual(['“me” is connected']);
});

test('a Handrail without its command line says so instead of a command that does not work', async () => {
  const { page, daemon } = await openDashboard({ viewport: WINDOW });
  daemon.about = () => ({ version: '0.1.0', variables: [], retention: [] });
  await page.reload();
  const { card, command } = cardOn(page);
  await card.getByText('This Handrail came without its command line').waitFor();
  expect(await command.count()).toBe(0);
});

test.each(LOOKS)('the card is accessible and fits: $colorScheme, $viewport.width wide', async (look) => {
  const { page, daemon } = await openDashboard(look);
  const { card, command } = cardOn(page);
  await command.waitFor();
  expect(await seriousFaults(page)).toEqual([]);
  daemon.set({ requesters: [known('mcp:claude-code')] });
  await card.getByText('“claude-code” is connected').waitFor();
  expect([await overflow(page), await seriousFaults(page)]).toEqual([0, []]);
});

test('a real daemon shows a command that works in a shell, and tells of the first program that calls it', async () => {
  const { page, daemon } = await openOwn();
  const { card, command, state } = cardOn(page);
  await expect.poll(() => state.textContent()).toBe('Waiting for the first call…');
  expect(printedBy(String(await command.textContent()))).toMatchObject({
    mcpServers: { handrail: { args: [expect.any(String), 'mcp'], env: { HANDRAIL_DATA_DIR: daemon.dataDirectory } } },
  });
  const device = await daemon.register(undefined, 'me');
  await daemon.submit(
    { targetDeviceId: device.deviceId, actionType: 'DescribeScreen', parameters: {} },
    { userId: 'me' },
  );
  await card.getByText('“me” is connected').waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Connect an agent' }).waitFor();
  expect(await card.count()).toBe(0);
});
