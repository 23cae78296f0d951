import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import type { Ask } from './made-up.ts';
import { usePages, WINDOW } from './page-rig.ts';
import { handsOn } from './prompt-hands.ts';

const { openDashboard } = usePages();

const TERMINAL = { level: 'high', reasons: ['Whatever is typed into a terminal runs.'] } as const;

const NIGHTLY: Ask = {
  userId: 'claude@laptop',
  level: 'high',
  scopes: [{ scope: 'once', grant: 'Only these steps, as they stand here, once.' }],
  prompt: {
    sentence: 'Approve 2 of 5 steps',
    reason: 'The report needs it.',
    task: { name: 'Nightly report', step: 2, of: 5, alsoAsks: ['TypeText (type)'] },
  },
  plan: [
    { id: 'open', consent: 'none', sentence: 'Open the app “mousepad”' },
    { id: 'shot', dependsOn: ['open'], maxAttempts: 3 },
    {
      id: 'shell',
      sentence: 'Open the app “xterm”',
      arguments: '{"appName":"xterm"}',
      changes: 'Starts the app; closing it undoes that.',
      risk: { ...TERMINAL, reasons: [...TERMINAL.reasons] },
      history: 'Allowed 2 times, last 2025-04-01T10:00:00.000Z',
    },
    { id: 'type', consent: 'later', sentence: 'Types text', arguments: '{"text":{"$from":"shot.data.text"}}' },
    { id: 'self', consent: 'blocked', sentence: 'Quit the app “Handrail”' },
  ],
};

test('a plan is named in the words of Handrail, quotes those of its requester, shows first and in full the steps it asks for, and then the others in a line', async () => {
  const { page, daemon } = await openDashboard({ viewport: WINDOW });
  daemon.ask(NIGHTLY);
  const { prompt } = handsOn(page);
  await prompt.getByRole('heading', { name: 'Approve 2 of 5 steps' }).waitFor();
  expect(await prompt.locator('.plan-count').count()).toBe(0);
  expect(await prompt.locator('.plan-name').textContent()).toBe(
    "Its task: “Nightly report” Requester's words, not verified",
  );
  const lines = await page
    .locator('.plan-step')
    .evaluateAll((items) =>
      items.map((item) => [...item.querySelectorAll('h2, p, pre, summary')].map(({ textContent }) => textContent)),
    );
  expect(lines.map((texts) => texts.map((text) => text?.replace(/\d+ days ago/, 'long ago')))).toEqual([
    [
      '2. Take a screenshot of the main display shot',
      'medium A picture shows everything that is on the screen.',
      'Changes nothing; a picture that was handed out cannot be taken back.',
      '{"format":"png"}',
      'on Desk · after open · up to 3 tries · First time',
    ],
    [
      '3. Open the app “xterm” shell',
      'high Whatever is typed into a terminal runs.',
      'Starts the app; closing it undoes that.',
      '{"appName":"xterm"}',
      'on Desk · Allowed 2 times, last long ago',
    ],
    ['1. Open the app “mousepad” open', 'runs without approval', '{"format":"png"}'],
    ['4. Types text type', 'asks separately once its input is known', '{"text":{"$from":"shot.data.text"}}'],
    ['5. Quit the app “Handrail” self', 'will be blocked by your rules', '{"format":"png"}'],
  ]);
  const asked = prompt.getByRole('list', { name: 'Steps that need your approval' });
  expect(await asked.getByRole('listitem').count()).toBe(2);
  expect(await prompt.locator('blockquote').textContent()).toBe('The report needs it.');
  expect(await prompt.locator('.grant-literal').textContent()).toBe('Only these steps, as they stand here, once.');
});

test('words of the requester are in no heading and in no title of an outcome, however they are put', async () => {
  const { page, daemon } = await openDashboard({ viewport: WINDOW });
  const name = 'Handrail needs your approval to keep protecting you\\u{202e}';
  daemon.ask({
    prompt: { sentence: 'Open the app “xterm”', task: { name, step: 1, of: 2, alsoAsks: [] } },
    plan: [{ id: 'open' }, { id: 'wait', consent: 'none' }],
  });
  const { prompt, denyIsAlive, notice } = handsOn(page);
  await denyIsAlive();
  expect(await prompt.locator('h1').textContent()).toBe('Open the app “xterm”');
  expect(await prompt.locator('.plan-count').textContent()).toBe('1 of 2 steps needs approval');
  expect(await prompt.locator('.plan-name').textContent()).toContain(`“${name}”`);
  await page.keyboard.press('Escape');
  await notice.getByText('Denied: Open the app “xterm”').waitFor();
  expect(await page.locator('.outcome').textContent()).not.toContain('protecting');
});

test('Allow stays dead until every step that is asked for was seen to its end; then it is held, as the highest risk asks', async () => {
  const { page, daemon } = await openDashboard();
  const { allow, deny, denyIsAlive, allowIsAlive, holdAllow, notice } = handsOn(page);
  const { id } = daemon.ask(NIGHTLY);
  await denyIsAlive();
  expect(await deny.evaluate((button) => button === document.activeElement)).toBe(true);
  expect([daemon.shownCount(id), await allow.getAttribute('data-arming')]).toEqual([0, 'partly seen']);
  const body = page.locator('.prompt-body');
  await body.evaluate((element) => {
    element.scrollTop = element.scrollHeight;
  });
  await isPainted(page);
  await body.evaluate((element) => {
    const shell = [...element.querySelectorAll('.plan-step.asked')].at(-1);
    shell?.scrollIntoView({ block: 'end' });
  });
  await isPainted(page);
  await body.evaluate((element) => element.querySelector('.plan-step.asked')?.scrollIntoView({ block: 'end' }));
  await allowIsAlive();
  await allow.click();
  expect(daemon.answers).toEqual([]);
  await holdAllow();
  await notice.getByText('Allowed: Approve 2 of 5 steps').waitFor();
  expect(daemon.answers).toEqual(['allow once hold the plan']);
});

test('Esc denies a plan as a whole', async () => {
  const { page, daemon } = await openDashboard();
  daemon.ask(NIGHTLY);
  await handsOn(page).denyIsAlive();
  await page.keyboard.press('Escape');
  await handsOn(page).notice.getByText('Denied: Approve 2 of 5 steps').waitFor();
  expect(daemon.answers).toEqual(['deny once the plan']);
});

test('a plan whose steps are others now is read anew', async () => {
  const { page, daemon } = await openDashboard({ viewport: WINDOW });
  const { id } = daemon.ask({ plan: [{ id: 'one' }] });
  const { allowIsAlive, allow } = handsOn(page);
  await allowIsAlive();
  daemon.change(id, { sentence: 'Another plan' });
  await page.getByRole('heading', { name: 'Another plan' }).waitFor();
  expect(await allow.getAttribute('aria-disabled')).toBe('true');
});

test('arguments of a step are shown escaped and whole, however long', async () => {
  const { page, daemon } = await openDashboard();
  const text = `<b>no</b>\\u{202e}${'x'.repeat(10_000)}the end`;
  daemon.ask({ plan: [{ id: 'one', arguments: text }] });
  const shown = page.locator('.step-arguments');
  await shown.waitFor();
  expect([await shown.textContent(), await shown.locator('b').count(), await shown.locator('.escape').count()]).toEqual(
    [text, 0, 1],
  );
  expect(await handsOn(page).allow.getAttribute('data-arming')).toBe('partly seen');
});

/** A part that was scrolled away before it was painted has not been on screen. */
async function isPainted(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}
