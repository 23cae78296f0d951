import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { seriousFaults } from './accessibility.ts';
import { CURL } from './made-up.ts';
import { usePages, WINDOW } from './page-rig.ts';
import { stopTime } from './prompt-hands.ts';

const { openDashboard, openOwnDashboard } = usePages();

const EVERY_FACT = {
  requester: { userId: 'claude@laptop', via: 'task', knownSince: '2025-03-02T10:00:00.000Z', hasKey: true },
  sentence: 'Open the app “Notes”',
  arguments: '{"appName":"Notes"}',
  changes: 'Starts the app; closing it undoes that.',
  risk: { level: 'medium', reasons: ['It is the first rule.', 'It is the second rule.'] },
  task: { name: 'Tidy up', step: 2, of: 5, alsoAsks: ['Type 40 characters'] },
  history: 'Allowed 12 times, last 2025-04-01T10:00:00.000Z',
  reason: 'I was told to.',
} as const;

test('the prompt says what decides, and by one key everything else, in the order in which it matters', async () => {
  const { page, daemon, prompt } = await openDashboard({ viewport: WINDOW });
  const risk = { ...EVERY_FACT.risk, reasons: [...EVERY_FACT.risk.reasons] };
  const task = { ...EVERY_FACT.task, alsoAsks: [...EVERY_FACT.task.alsoAsks] };
  daemon.ask({ prompt: { ...EVERY_FACT, requester: { ...EVERY_FACT.requester, program: CURL }, risk, task } });
  await prompt.waitFor();
  const textsOf = async (parts: string) =>
    (await prompt.locator(parts).allTextContents()).map((text) => text.replace(/\d+ days ago/, 'long ago'));
  expect(
    await textsOf('h1, .who, .dangers li, .more-button, .scope, .time-left, .buttons button, .answer-hint'),
  ).toEqual([
    'Open the app “Notes”',
    '“claude@laptop” asks · curl (/usr/bin/curl) · known since 2 Mar 2025',
    'medium risk It is the first rule.',
    'It is the second rule.',
    'More M',
    expect.stringMatching(/^1:(30|2\d) left 2 more minutes$/),
    'Deny esc',
    'Allow once',
    expect.stringMatching(/^(Scroll|Allow unlocks|To allow)/),
  ]);
  await page.keyboard.press('m');
  await prompt.locator('dt').first().waitFor();
  expect(await textsOf('dt, dd')).toEqual([
    'Changes',
    'Starts the app; closing it undoes that.',
    'Reason',
    "I was told to.Requester's words, not verified",
    'Task',
    '“Tidy up”, step 2 of 5; it will also ask: Type 40 characters',
    'Before',
    'Allowed 12 times, last long ago',
    'Asked by',
    '/usr/bin/curl, started by bash, from xtermOS user 1000 · locked with a key · for Desk',
    'Arguments',
    '{"appName":"Notes"}',
  ]);
  await page.keyboard.press('m');
  await prompt.locator('dt').first().waitFor({ state: 'detached' });
});

test('a prompt without a reason, a task, a key and arguments has no row for them', async () => {
  const { daemon, prompt } = await openDashboard({ viewport: WINDOW });
  daemon.ask({ prompt: { arguments: '{}' } });
  await prompt.locator('.more-button').click();
  expect(await prompt.locator('dt').allTextContents()).toEqual(['Changes', 'Before', 'Asked by']);
  expect(await prompt.textContent()).not.toMatch(/none|no key/i);
});

test('Deny has the focus, and a click on it denies', async () => {
  const { page, daemon, deny, notice } = await openDashboard();
  daemon.ask();
  await deny.waitFor();
  expect(await deny.evaluate((button) => button === document.activeElement)).toBe(true);
  await deny.click();
  await notice.getByText('Denied: Take a screenshot of the main display').waitFor();
  await page.getByText('No requests waiting').waitFor();
  expect(daemon.answers).toEqual(['deny once TakeScreenshot']);
});

test('a click allows, once it may', async () => {
  const { daemon, allow, notice } = await openDashboard();
  // All of it is seen in the panel without scrolling.
  const { id } = daemon.ask({ prompt: { reason: 'For tonight’s report.' } });
  await allow.click();
  await notice.getByText('Allowed: Take a screenshot of the main display').waitFor();
  expect({ answers: daemon.answers, shown: daemon.shownCount(id) }).toEqual({
    answers: ['allow once TakeScreenshot'],
    shown: 1,
  });
});

test('high risk is allowed by press and hold, and by nothing shorter', async () => {
  const { page, daemon, allow, allowIsAlive, clickAt, holdAllow, notice } = await openOwnDashboard();
  daemon.ask({ level: 'high' });
  await allowIsAlive();
  await holdAllow();
  await notice.getByText('Allowed:').waitFor();
  expect(daemon.answers).toEqual(['allow once hold TakeScreenshot']);
  await stopTime(page);
  daemon.ask({ level: 'high' });
  await page.locator('.allow[data-arming="waiting"]').waitFor();
  await page.clock.runFor(2_000);
  await allowIsAlive();
  await clickAt(allow);
  await page.mouse.down();
  await page.locator('.allow[data-hold="holding"]').waitFor();
  await page.clock.runFor(1_000);
  await page.mouse.up();
  expect(await allow.getAttribute('data-hold')).toBe('idle');
  expect(daemon.answers).toHaveLength(1);
});

test('a hand that slips off while it holds allows nothing', async () => {
  const { page, daemon, allow, allowIsAlive, pressAt } = await openDashboard();
  daemon.ask({ level: 'critical' });
  await allowIsAlive();
  await pressAt(allow);
  await page.getByText('Let go to allow').waitFor();
  await page.mouse.move(5, 5);
  await page.mouse.up();
  await page.getByText('Hold 1 s.').waitFor();
  expect(daemon.answers).toEqual([]);
});

test.each([
  ['medium', 'allow once TakeScreenshot'],
  ['high', 'allow once hold TakeScreenshot'],
] as const)('the keyboard alone is enough at %s risk: Tab to Allow, hold A', async (level, answer) => {
  const { page, daemon, allow, allowIsAlive, notice } = await openDashboard();
  daemon.ask({ level });
  await allowIsAlive();
  await page.keyboard.press('Tab');
  expect(await allow.evaluate((button) => button === document.activeElement)).toBe(true);
  await page.keyboard.press('a');
  expect(daemon.answers).toEqual([]);
  await page.keyboard.down('a');
  await page.getByText('Let go to allow').waitFor();
  await page.keyboard.up('a');
  await notice.getByText('Allowed:').waitFor();
  expect(daemon.answers).toEqual([answer]);
});

const LONG_ARGUMENTS = Array.from({ length: 200 }, (_none, index) => `"line ${index}"`).join(',\n');

test('Space, PageDown, ArrowDown, End and Home scroll the prompt and its arguments, and answer nothing', async () => {
  const { page, daemon, deny, denyIsAlive, allow } = await openDashboard();
  daemon.ask({ prompt: { arguments: LONG_ARGUMENTS, changes: 'It changes something. '.repeat(60) } });
  await denyIsAlive();
  await page.keyboard.press('m');
  await page.locator('.arguments').waitFor();
  const scrolled = () => page.locator('.prompt-body').evaluate(({ scrollTop }) => scrollTop);
  expect([await scrolled(), await allow.getAttribute('data-arming')]).toEqual([0, 'partly seen']);
  const atEnd = () =>
    page
      .locator('.prompt-body, .arguments')
      .evaluateAll((boxes) => boxes.map((box) => box.scrollTop + box.clientHeight >= box.scrollHeight - 1));
  for (const key of ['Space', 'PageDown', 'ArrowDown', 'End']) {
    await page.keyboard.press(key);
    await expect.poll(scrolled).toBeGreaterThan(0);
    if (key === 'End') await expect.poll(atEnd).toEqual([true, true]);
    await page.keyboard.press('Home');
    await expect.poll(scrolled).toBe(0);
  }
  expect(await atEnd()).toEqual([false, false]);
  expect(await deny.evaluate((button) => button === document.activeElement)).toBe(true);
  expect(daemon.answers).toEqual([]);
});

test('Space alone leads through all of a prompt to its end, arguments that scroll by themselves included, and then Allow unlocks', async () => {
  const { page, daemon, denyIsAlive, allowIsAlive, readToEnd } = await openDashboard();
  daemon.ask({ prompt: { arguments: LONG_ARGUMENTS, changes: 'It changes something. '.repeat(60) } });
  await denyIsAlive();
  await page.getByText('Press M and scroll to unlock Allow.').waitFor();
  await readToEnd();
  await allowIsAlive();
  expect(daemon.answers).toEqual([]);
  await page.keyboard.press('Shift+Space');
  await page.keyboard.press('PageUp');
  await page.keyboard.press('Enter');
  expect(daemon.answers).toEqual([]);
});

test.each(['Enter', 'Space'])(
  '%s denies once the person has moved to Deny, and not after the window was left',
  async (key) => {
    const { page, daemon, deny, denyIsAlive, notice } = await openDashboard();
    daemon.ask();
    await denyIsAlive();
    // The browser tells the button so when the whole window loses the focus, and the button stays the active element.
    await deny.evaluate((button) => button.dispatchEvent(new FocusEvent('focusout', { bubbles: true })));
    await page.keyboard.press(key);
    expect(daemon.answers).toEqual([]);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    expect(await deny.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press(key);
    await notice.getByText('Denied:').waitFor();
    expect(daemon.answers).toEqual(['deny once TakeScreenshot']);
  },
);

test('a scope is chosen with its grant shown literally, and choosing moves nothing', async () => {
  const { page, daemon, allow, notice } = await openDashboard();
  const grant = `nightly-report may take screenshots of the main display for 15 minutes. ${'A long grant. '.repeat(12)}end`;
  daemon.ask({
    scopes: [
      { scope: 'once', grant: 'Only this once.' },
      { scope: 'minutes15', grant },
    ],
  });
  await page.getByText('Only this once.').waitFor();
  const before = [await page.locator('.prompt').boundingBox(), await allow.boundingBox()];
  await page.getByLabel('15 minutes').check();
  await page.getByText(grant).waitFor();
  expect([await page.locator('.prompt').boundingBox(), await allow.boundingBox()]).toEqual(before);
  expect(await allow.textContent()).toBe('Allow for 15 minutes');
  await allow.click();
  await notice.getByText('Allowed:').waitFor();
  expect(daemon.answers).toEqual(['allow minutes15 TakeScreenshot']);
});

/** How long it is until a time by the clock of the page. */
async function leftMs(page: Page, at: string): Promise<number> {
  return Date.parse(at) - (await page.evaluate(() => Date.now()));
}

test('a prompt counts down, and when time is up nothing on it works any more', async () => {
  const { page, daemon, allow, prompt, clickAt } = await openOwnDashboard();
  await stopTime(page);
  const { expiresAt } = daemon.ask({ expiresInMs: 12_000 });
  await prompt.waitFor();
  await page.clock.fastForward((await leftMs(page, expiresAt)) - 1_500);
  await prompt.getByText(/Expires in 0:0[12]/).waitFor();
  await page.clock.fastForward(1_750);
  await prompt.getByText('Time is up. The request has expired, and nothing was done.').waitFor();
  await clickAt(allow);
  await page.keyboard.press('Escape');
  expect(daemon.answers).toEqual([]);
});

test('requests that nobody answered are listed by name until the person closes the list', async () => {
  const { page, daemon } = await openDashboard();
  const expired = page.getByRole('status', { name: 'Requests that expired unanswered' });
  const asked = ['ann', 'bob', 'cid'].map((userId) =>
    daemon.ask({ userId, expiresInMs: 900, prompt: { sentence: `Open the app “${userId}\\u{202e}”` } }),
  );
  await page.getByRole('alertdialog').waitFor();
  await page.waitForFunction(
    (at) => Date.now() >= at,
    Math.max(...asked.map(({ expiresAt }) => Date.parse(expiresAt))),
  );
  for (const { id } of asked) daemon.end(id, 'expired');
  await expired.getByText('3 requests expired unanswered.').waitFor();
  expect(await expired.getByRole('listitem').count()).toBe(0);
  await expired.getByRole('button', { name: 'Show them' }).click();
  expect(await expired.getByRole('listitem').allTextContents()).toEqual(
    expect.arrayContaining(['ann', 'bob', 'cid'].map((name) => expect.stringContaining(`“${name}\\u{202e}”“${name}”`))),
  );
  await expired.getByText('Nothing was done.').waitFor();
  expect(await page.getByText('The request expired').count()).toBe(0);
  expect(await seriousFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Close the list of expired requests' }).click();
  await expired.waitFor({ state: 'detached' });
});

test('a prompt that was answered elsewhere goes, and the page says so', async () => {
  const { page, daemon, prompt } = await openDashboard();
  const { id } = daemon.ask();
  await prompt.waitFor();
  daemon.end(id, 'allowed');
  await page.getByText('The request was withdrawn, or answered elsewhere.').waitFor();
  await prompt.waitFor({ state: 'detached' });
});

test('a prompt to which a fact was added can still be denied with Esc at once', async () => {
  const { page, daemon, denyIsAlive, prompt } = await openDashboard();
  const { id } = daemon.ask();
  await denyIsAlive();
  daemon.change(id, { sentence: 'Display 2' });
  await prompt.getByRole('heading', { name: 'Display 2' }).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => daemon.answers).toEqual(['deny once TakeScreenshot']);
});

test('a chosen time stays chosen when a fact is added to the prompt, and not when the action changes', async () => {
  const { page, daemon, prompt } = await openDashboard();
  const minutes15 = page.getByLabel('15 minutes');
  const { id } = daemon.ask({
    scopes: [
      { scope: 'once', grant: 'Only this once.' },
      { scope: 'minutes15', grant: 'May take screenshots for 15 minutes.' },
    ],
  });
  await minutes15.check();
  daemon.change(id, { sentence: 'Display 2' }, { isSameAction: true });
  await prompt.getByRole('heading', { name: 'Display 2' }).waitFor();
  expect(await minutes15.isChecked()).toBe(true);
  daemon.change(id, { sentence: 'Display 3' });
  await prompt.getByRole('heading', { name: 'Display 3' }).waitFor();
  expect(await minutes15.isChecked()).toBe(false);
});

test('an action that changes under the prompt is asked about anew, and what was about to be allowed is not', async () => {
  const { page, daemon, allow, allowIsAlive, clickAt, pressAt, prompt } = await openDashboard();
  const { id } = daemon.ask();
  await allowIsAlive();
  await pressAt(allow);
  daemon.change(id, { sentence: 'Take a screenshot of the second display', arguments: '{"display":2}' });
  await prompt.getByRole('heading', { name: 'Take a screenshot of the second display' }).waitFor();
  await page.mouse.up();
  await clickAt(allow);
  expect(daemon.answers).toEqual([]);
  await allowIsAlive();
  expect(daemon.shownCount(id)).toBe(2);
  await clickAt(allow);
  await page.getByText('Allowed: Take a screenshot of the second display').waitFor();
});

test.each([
  ['changed', 'The request changed since you saw it', 'refused confirmation_stale'],
  ['ended', 'Already answered.', 'refused confirmation_resolved'],
] as const)('an answer to a prompt that has just %s is refused in plain words', async (what, text, answer) => {
  const { page, daemon, allow, allowIsAlive, clickAt, notice } = await openDashboard();
  const { id } = daemon.ask();
  await allowIsAlive();
  const before = { items: daemon.confirmations.list(), nextCursor: null };
  await page.route('**/api/console/confirmations', (route) => route.fulfill({ json: before }));
  if (what === 'changed') daemon.change(id, { sentence: 'Display 2' });
  else daemon.end(id, 'denied');
  await clickAt(allow);
  await notice.getByText(text).waitFor();
  expect(daemon.answers).toEqual([answer]);
  await page.unroute('**/api/console/confirmations');
  daemon.set({});
  await page.getByText('{"format":"png"}').waitFor({ state: 'detached' });
});

test('a denial becomes a card with Undo, and undone the request waits again and must be shown anew', async () => {
  const { page, daemon, denyIsAlive, prompt, allowIsAlive } = await openDashboard();
  const { id } = daemon.ask();
  await allowIsAlive();
  await page.keyboard.press('Escape');
  const outcome = page.locator('.outcome');
  await outcome.getByText('Denied: Take a screenshot of the main display').waitFor();
  await prompt.waitFor({ state: 'detached' });
  // The card has the focus, so the keyboard alone reaches Undo.
  const undo = page.getByRole('button', { name: 'Undo the denial: Take a screenshot of the main display' });
  for (let step = 0; step < 3 && !(await undo.evaluate((button) => button === document.activeElement)); step += 1)
    await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await prompt.waitFor();
  await outcome.waitFor({ state: 'detached' });
  await denyIsAlive();
  await allowIsAlive();
  expect(daemon.answers).toEqual(['deny once TakeScreenshot', 'undo']);
  expect(daemon.shownCount(id)).toBe(2);
});

test('Undo goes when its time is over, and the card stays until it is closed', async () => {
  const { page, daemon, denyIsAlive } = await openDashboard();
  daemon.ask({ expiresInMs: 10_000 });
  await denyIsAlive();
  await page.keyboard.press('Escape');
  const undo = page.getByRole('button', { name: /^Undo the denial/ });
  await undo.waitFor();
  await undo.waitFor({ state: 'detached' });
  await page.locator('.outcome').getByText('Nothing was done.').waitFor();
  await page.getByRole('button', { name: /^Close: / }).click();
  await page.locator('.outcome').waitFor({ state: 'detached' });
});

test('high risk is another colour field with enough contrast, and asks to be held', async () => {
  const { daemon, allow, allowIsAlive, prompt } = await openDashboard({ viewport: WINDOW });
  daemon.ask({ level: 'high', prompt: { arguments: '{}' } });
  await allowIsAlive();
  expect(await allow.textContent()).toBe('Hold to allow once');
  await prompt.getByText('High risk').waitFor();
  const colours = await prompt.evaluate((card) => {
    const of = (element: Element | null) => (element === null ? '' : getComputedStyle(element).backgroundColor);
    return [of(card.querySelector('.risk-band')), of(card)];
  });
  const [band = 0, surface = 0] = colours.map(luminanceOf);
  expect((Math.max(band, surface) + 0.05) / (Math.min(band, surface) + 0.05)).toBeGreaterThanOrEqual(3);
});

/** The relative luminance of WCAG 2 of a colour such as `rgb(1, 2, 3)`. */
function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((value) => {
    const share = Number(value) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test('equal requests are one prompt with their number, and one answer is for those that are ticked, at first all', async () => {
  const { page, daemon, prompt, allow, notice } = await openDashboard({ viewport: WINDOW });
  const first = daemon.ask();
  for (let count = 0; count < 2; count += 1) daemon.askAgain(first.id);
  await prompt.getByText('Asked 3 times. Your answer covers all of them.').waitFor();
  expect(await page.locator('.queue').count()).toBe(0);
  await prompt.getByRole('button', { name: 'Choose' }).click();
  await prompt.getByRole('checkbox').nth(1).uncheck();
  await prompt.getByText('Asked 3 times. Your answer covers 2 of them.').waitFor();
  await allow.click();
  await notice.getByText('(2 times)').waitFor();
  await page.getByText('Asked 3 times').waitFor({ state: 'detached' });
  // The one that was left out waits.
  await allow.click();
  await page.getByText('No requests waiting').waitFor();
  expect(daemon.answers).toEqual(['allow once TakeScreenshot with 1 equal', 'allow once TakeScreenshot']);
});

test('an equal request that comes while the person reads makes Allow wait anew, and leaves Deny as it is', async () => {
  const { daemon, allow, allowIsAlive, deny, prompt } = await openDashboard({ viewport: WINDOW });
  const { id } = daemon.ask();
  await allowIsAlive();
  daemon.askAgain(id);
  await prompt.getByText('Asked 2 times.').waitFor();
  expect([await allow.getAttribute('aria-disabled'), await deny.getAttribute('aria-disabled')]).toEqual([
    'true',
    'false',
  ]);
  await allowIsAlive();
});

test('two more minutes are one press away, and the answer does not have to wait anew for them', async () => {
  const { daemon, allowIsAlive, allow, prompt } = await openDashboard({ viewport: WINDOW });
  daemon.ask({ expiresInMs: 20_000 });
  await allowIsAlive();
  await prompt.getByRole('button', { name: '2 more minutes' }).click();
  await prompt.getByText(/^2:[01]\d left$/).waitFor();
  expect(await allow.getAttribute('data-arming')).toBe('alive');
});

test('after a denial the rest of the same requester can be denied, and both denials can be undone', async () => {
  const { page, daemon, denyIsAlive, notice, prompt } = await openDashboard({ viewport: WINDOW });
  for (const sentence of ['One thing', 'Another thing', 'A third thing']) daemon.ask({ prompt: { sentence } });
  for (const sentence of ['One thing', 'Another thing']) {
    await prompt.getByRole('heading', { name: sentence }).waitFor();
    await denyIsAlive();
    await page.keyboard.press('Escape');
    await notice.getByText(`Denied: ${sentence}`).waitFor();
  }
  for (const sentence of ['One thing', 'Another thing'])
    await page.getByRole('button', { name: `Undo the denial: ${sentence}` }).waitFor();
  await page.getByRole('button', { name: 'Deny the other one from nightly-report' }).first().click();
  await page.getByText('Denied everything nightly-report was asking for.').waitFor();
  expect(daemon.answers).toContain('deny all of nightly-report');
});
