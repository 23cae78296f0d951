import { expect, test } from 'vitest';
import type { CallingProgram } from '../../src/contract/program.ts';
import { seriousFaults } from './accessibility.ts';
import { CURL } from './made-up.ts';
import { LOOKS, overflow, usePages } from './page-rig.ts';

const { openDashboard } = usePages();

const THROUGH = { pid: 4_712, name: 'node', path: '/opt/handrail/node' };
const OVER_STDIO: CallingProgram = {
  kind: 'program',
  uid: 1_000,
  pid: 4_711,
  name: 'claude',
  path: '/usr/bin/claude',
  startedBy: [{ pid: 4_000, name: 'bash', path: '/usr/bin/bash' }],
  through: THROUGH,
  claims: 'claude-code',
};
const CLAIM = '.claim';

test.each(LOOKS)(
  'the prompt of an MCP client has its program, the way it came and its claim: $colorScheme, $viewport.width wide',
  async (look) => {
    const { page, daemon, prompt, allowIsAlive } = await openDashboard(look);
    daemon.ask({ userId: 'mcp:claude-code', prompt: { requester: requester(OVER_STDIO) } });
    await allowIsAlive();
    await page.keyboard.press('m');
    await prompt.locator(CLAIM).waitFor();
    expect(await prompt.locator(`.program, ${CLAIM}`).allTextContents()).toEqual([
      'claude (/usr/bin/claude)',
      '/usr/bin/claude, started by bash · connected through Handrail’s own command, process 4712',
      'Its own claim, not verified: “claude-code”',
    ]);
    expect([await overflow(page), await seriousFaults(page)]).toEqual([0, []]);
  },
);

test('over HTTP there is a claim and no other way; a program without a claim has no such line', async () => {
  const { page, daemon, prompt } = await openDashboard();
  const first = daemon.ask({ prompt: { requester: requester({ ...CURL, claims: 'cursor' }) } });
  await prompt.waitFor();
  await page.keyboard.press('m');
  await prompt.locator(CLAIM).waitFor();
  expect(await prompt.locator('.facts .program').textContent()).toBe('/usr/bin/curl, started by bash, from xterm');
  daemon.end(first.id, 'denied');
  daemon.ask({ prompt: { requester: requester(CURL) } });
  await prompt.locator('.more-button[aria-expanded="false"]').waitFor();
  await page.keyboard.press('m');
  await prompt.locator('.facts .program').waitFor();
  await expect.poll(() => prompt.locator(CLAIM).count()).toBe(0);
});

test('M8: a claim that imitates the prompt stays behind the words that call it unverified, as text', async () => {
  const claims = `x”, verified by Handrail<img src=x onerror=alert(1)>\u202eterces\u200b ${'W'.repeat(60)}`;
  const { page, daemon, prompt } = await openDashboard();
  daemon.ask({ prompt: { requester: requester({ kind: 'unknown', because: 'It has ended.', claims }) } });
  const line = prompt.locator(CLAIM);
  await prompt.waitFor();
  await page.keyboard.press('m');
  await line.waitFor();
  const shown = claims.replace('”', '\\u{201d}').replace('\u202e', '\\u{202e}').replace('\u200b', '\\u{200b}');
  expect(await line.textContent()).toBe(`Its own claim, not verified: “${shown}”`);
  expect(await prompt.locator('.facts .program').textContent()).toBe('Program unknown: It has ended.');
  const box = await line.boundingBox();
  const program = await prompt.locator('.facts .program').boundingBox();
  expect(box?.y).toBeGreaterThanOrEqual(Number(program?.y) + Number(program?.height));
  expect([await page.locator('img[src="x"]').count(), await overflow(page)]).toEqual([0, 0]);
});

function requester(program: CallingProgram) {
  return { userId: 'mcp:client', via: 'http' as const, knownSince: new Date().toISOString(), hasKey: false, program };
}
