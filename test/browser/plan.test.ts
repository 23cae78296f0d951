import { expect, test } from 'vitest';
import type { Ask } from './made-up.ts';
import { usePages, WINDOW } from './page-rig.ts';
import { isPainted } from './prompt-hands.ts';

const { openDashboard } = usePages();

const TERMINAL = { level: 'high', reasons: ['Whatever is typed into a terminal runs.'] } as const;

const NIGHTLY: Ask = {
  userId: 'claude@laptop',
  level: 'high',
  scopes: [{ scope: 'once', grant: 'Only this once.' }],
  prompt: {
    sentence: 'Take screenshot, open 1 app',
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

test('a plan is named in the words of Handrail, has a line for each step in their order, and unfolds to the exact arguments', async () => {
  const { page, daemon, prompt } = await openDashboard({ viewport: WINDOW });
  daemon.ask(NIGHTLY);
  await prompt.getByRole('heading', { name: 'Take screenshot, open 1 app' }).waitFor();
  expect(await prompt.locator('.plan-count').textContent()).toBe('2 of 5 steps ask');
  const lines = prompt.locator('.plan-line');
  expect(await lines.allTextContents()).toEqual([
    '1. Open the app “mousepad” · asks nothing',
    '2. Take a screenshot of the main display',
    '3. Open the app “xterm”',
    '4. Types text · asks separately once its input is known',
    '5. Quit the app “Handrail” · will be blocked by your rules',
  ]);
  expect(await prompt.locator('.plan-step.asked').count()).toBe(2);
  expect(await prompt.getByRole('list', { name: 'Dangers' }).getByRole('listitem').allTextContents()).toEqual([
    'Whatever is typed into a terminal runs. step 3',
  ]);
  await lines.nth(2).click();
  const facts = await prompt.locator('.step-facts :is(p, pre)').allTextContents();
  expect(facts.map((text) => text.replace(/\d+ days ago/, 'long ago'))).toEqual([
    'high Whatever is typed into a terminal runs.',
    'Starts the app; closing it undoes that.',
    '{"appName":"xterm"}',
    'shell on Desk · Allowed 2 times, last long ago',
  ]);
  await page.keyboard.press('m');
  await prompt.getByText("“Nightly report” Requester's words, not verified").waitFor();
  expect(await prompt.locator('.step-facts').count()).toBe(5);
  expect(await prompt.locator('blockquote').textContent()).toBe('The report needs it.');
});

test('words of the requester are in no heading and in no title of an outcome, however they are put', async () => {
  const { page, daemon, prompt, denyIsAlive, notice } = await openDashboard({ viewport: WINDOW });
  const name = 'Handrail needs your approval to keep protecting you\\u{202e}';
  daemon.ask({
    prompt: { sentence: 'Open the app “xterm”', task: { name, step: 1, of: 2, alsoAsks: [] } },
    plan: [{ id: 'open' }, { id: 'wait', consent: 'none' }],
  });
  await denyIsAlive();
  expect(await prompt.locator('h1').textContent()).toBe('Open the app “xterm”');
  expect(await prompt.locator('.plan-count').textContent()).toBe('1 of 2 steps asks');
  await page.keyboard.press('m');
  await prompt.getByText(`“${name}”`).waitFor();
  await page.keyboard.press('Escape');
  await notice.getByText('Denied: Open the app “xterm”').waitFor();
  expect(await page.locator('.outcome').textContent()).not.toContain('protecting');
  expect(daemon.answers).toEqual(['deny once the plan']);
});

test('Allow stays dead until every step that is asked for was seen to its end; then it is held, as the highest risk asks', async () => {
  const { page, daemon, allow, deny, denyIsAlive, allowIsAlive, readToEnd, holdAllow, notice } = await openDashboard();
  const text = Array.from({ length: 60 }, (_none, index) => `echo ${index}`).join('\n');
  const script = { language: 'shell', text, reads: [], writes: [], network: [], noticed: [], noticedCut: false };
  const plan = NIGHTLY.plan?.map((step) => (step.id === 'shell' ? { ...step, script } : step)) ?? [];
  const { id } = daemon.ask({ ...NIGHTLY, plan });
  await denyIsAlive();
  expect(await deny.evaluate((button) => button === document.activeElement)).toBe(true);
  expect([daemon.shownCount(id), await allow.getAttribute('data-arming')]).toEqual([0, 'partly seen']);
  await page.getByText('Press M and scroll to unlock Allow.').waitFor();
  await page.keyboard.press('m');
  await page.getByText('Scroll to unlock Allow.').waitFor();
  await isPainted(page);
  expect(await allow.getAttribute('data-arming')).toBe('partly seen');
  await readToEnd();
  await allowIsAlive();
  await allow.click();
  expect(daemon.answers).toEqual([]);
  await holdAllow();
  await notice.getByText('Allowed: Take screenshot, open 1 app').waitFor();
  expect(daemon.answers).toEqual(['allow once hold the plan']);
});

test('a plan whose steps are others now is read anew', async () => {
  const { page, daemon, allowIsAlive, allow } = await openDashboard({ viewport: WINDOW });
  const { id } = daemon.ask({ plan: [{ id: 'one' }] });
  await allowIsAlive();
  daemon.change(id, { sentence: 'Another plan' });
  await page.getByRole('heading', { name: 'Another plan' }).waitFor();
  expect(await allow.getAttribute('aria-disabled')).toBe('true');
});

test('arguments of a step are shown escaped and whole, however long', async () => {
  const { page, daemon, allow } = await openDashboard();
  const text = `<b>no</b>\\u{202e}${'x'.repeat(10_000)}the end`;
  daemon.ask({ plan: [{ id: 'one', arguments: text }] });
  const shown = page.locator('.step-arguments');
  await page.getByText('Press M and scroll to unlock Allow.').waitFor();
  await page.keyboard.press('m');
  await shown.waitFor();
  expect([await shown.textContent(), await shown.locator('b').count(), await shown.locator('.escape').count()]).toEqual(
    [text, 0, 1],
  );
  expect(await allow.getAttribute('data-arming')).toBe('partly seen');
});
