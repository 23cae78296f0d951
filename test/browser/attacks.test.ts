import { expect, test } from 'vitest';
import { WHOLE_CHROMIUM } from './chromium.ts';
import { PANEL, usePages, WINDOW } from './page-rig.ts';
import { stopTime } from './prompt-hands.ts';

const { openDashboard, openOwnDashboard } = usePages();
/** A browser with windows, of which one can be behind another or out of sight. */
const { openOwnDashboard: openInWindow } = usePages(WHOLE_CHROMIUM);

/** Long enough for the effect of a stray key or click to reach the daemon. */
async function settled(page: { waitForTimeout(ms: number): Promise<void> }): Promise<void> {
  await page.waitForTimeout(500);
}

test('A4: a click before Allow lives is ignored, however often', async () => {
  const { daemon, allow, clickAt, allowIsAlive } = await openDashboard();
  const askedAtMs = Date.now();
  const { id } = daemon.ask({ level: 'high' });
  await allow.waitFor();
  const started = Date.now();
  while (Date.now() - started < 1_500) await clickAt(allow);
  expect({ answers: daemon.answers, pending: daemon.confirmations.list().map((each) => each.id) }).toEqual({
    answers: [],
    pending: [id],
  });
  await allowIsAlive();
  expect(Date.now() - askedAtMs).toBeGreaterThanOrEqual(2_000);
});

test('A4: a click that begins before Allow lives and ends after is ignored', async () => {
  const { page, daemon, allow, pressAt, allowIsAlive } = await openOwnDashboard();
  await stopTime(page);
  daemon.ask();
  await page.locator('button.allow[data-arming="waiting"]').waitFor();
  await pressAt(allow);
  await page.clock.runFor(1_000);
  await allowIsAlive();
  await page.mouse.up();
  await settled(page);
  expect(daemon.answers).toEqual([]);
});

test.each(['Enter', 'Space', 'Escape', 'a'])('A4: %s held while the prompt opens is ignored', async (key) => {
  const { page, daemon, allowIsAlive } = await openDashboard();
  await page.keyboard.down(key);
  daemon.ask();
  const repeating = setInterval(() => void page.keyboard.down(key), 40);
  await allowIsAlive();
  await settled(page);
  clearInterval(repeating);
  await page.keyboard.up(key);
  await settled(page);
  expect(daemon.answers).toEqual([]);
});

test('A4: Return and Space never allow, not even on Allow itself, pressed or held', async () => {
  const { page, daemon, allow, allowIsAlive } = await openDashboard();
  for (const level of ['medium', 'high'] as const) {
    const { id } = daemon.ask({ level });
    await allowIsAlive();
    await allow.focus();
    for (const key of ['Enter', 'Space', 'NumpadEnter']) {
      await page.keyboard.press(key);
      await page.keyboard.press(key, { delay: 1_300 });
    }
    expect(daemon.answers).toEqual([]);
    daemon.end(id, 'expired');
    await allow.waitFor({ state: 'detached' });
  }
});

test('A4: a script without a hand allows nothing', async () => {
  const { page, daemon, allow, allowIsAlive } = await openDashboard();
  for (const level of ['medium', 'high'] as const) {
    const { id } = daemon.ask({ level });
    await allowIsAlive();
    await allow.evaluate(async (button) => {
      const fire = (event: Event) => button.dispatchEvent(event);
      const bubbles = { bubbles: true, cancelable: true };
      (button as HTMLButtonElement).click();
      button.focus();
      fire(new PointerEvent('pointerdown', { ...bubbles, button: 0, isPrimary: true }));
      fire(new KeyboardEvent('keydown', { ...bubbles, key: 'a' }));
      await new Promise((resolve) => setTimeout(resolve, 1_300));
      fire(new PointerEvent('pointerup', bubbles));
      fire(new MouseEvent('click', { ...bubbles, detail: 1 }));
      fire(new KeyboardEvent('keyup', { ...bubbles, key: 'a' }));
      window.dispatchEvent(new KeyboardEvent('keydown', { ...bubbles, key: 'Escape' }));
    });
    await settled(page);
    expect(daemon.answers).toEqual([]);
    daemon.end(id, 'expired');
    await allow.waitFor({ state: 'detached' });
  }
});

test('A4: a script cannot finish what a hand began before the button lived', async () => {
  const { page, daemon, allow, pressAt, allowIsAlive } = await openDashboard();
  daemon.ask();
  await allow.waitFor();
  await pressAt(allow);
  await allowIsAlive();
  await allow.evaluate((button: HTMLButtonElement) => button.click());
  await settled(page);
  expect(daemon.answers).toEqual([]);
});

test('a click that only brings the window to the front answers nothing, however slow, and Allow waits anew', async () => {
  const { page, daemon, allow, deny, allowIsAlive, clickAt, pressAt } = await openInWindow();
  const arming = (state: string) => page.locator(`button.allow[data-arming="${state}"]`).waitFor();
  // Without this every page believes that it is the one in front.
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setFocusEmulationEnabled', { enabled: false });
  await page.bringToFront();
  const { id } = daemon.ask();
  await allowIsAlive();
  await stopTime(page);
  const other = await page.context().newPage();
  const toTheFront = async () => {
    await other.bringToFront();
    await page.getByText('Bring this window to the front to answer.').waitFor({ state: 'attached' });
    // The daemon takes no call that the page has signed long before or after.
    const behindMs = Date.now() - (await page.evaluate(() => Date.now()));
    if (behindMs > 0) await page.clock.runFor(behindMs);
    await page.bringToFront();
    await arming('waiting');
  };
  for (const button of [allow, deny]) {
    await toTheFront();
    await clickAt(button);
    await toTheFront();
    await pressAt(button);
    await page.clock.runFor(900);
    await page.mouse.up();
  }
  await arming('waiting');
  await page.clock.runFor(100);
  await arming('alive');
  expect(daemon.answers).toEqual([]);
  expect(daemon.shownCount(id)).toBeGreaterThanOrEqual(2);
});

test('a prompt on a page that nobody can see is not reported as shown', async () => {
  const { page, daemon, allowIsAlive } = await openInWindow();
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setFocusEmulationEnabled', { enabled: false });
  const other = await page.context().newPage();
  await other.bringToFront();
  const { id } = daemon.ask();
  await page.getByRole('alertdialog').waitFor({ state: 'attached' });
  await settled(page);
  expect(daemon.shownCount(id)).toBe(0);
  await page.bringToFront();
  await allowIsAlive();
  expect(daemon.shownCount(id)).toBe(1);
});

test('the second click of a double click on Deny does not deny the next prompt', async () => {
  const { page, daemon, deny, denyIsAlive } = await openDashboard();
  daemon.ask();
  daemon.ask();
  await denyIsAlive();
  const box = await deny.boundingBox();
  await page.mouse.dblclick((box?.x ?? 0) + 40, (box?.y ?? 0) + 15, { delay: 60 });
  await settled(page);
  expect(daemon.answers).toEqual(['deny once TakeScreenshot']);
  expect(daemon.confirmations.list()).toHaveLength(1);
});

const HTML =
  '<img src=x onerror="document.title=1"><script>alert(1)</script></pre><button class="allow">Allow</button>';

test.each([PANEL, WINDOW])(
  'A5: a grant and a folder of any length leave question and answers in view: $width wide',
  async (viewport) => {
    const { page, daemon, allow, deny } = await openDashboard({ viewport });
    const sites = Array.from({ length: 10 }, (_, index) => `${`${'a'.repeat(60)}.`.repeat(4)}bank${index}.example`);
    const folder = { path: `/home/ann/${'folder/'.repeat(500)}`, access: 'write' } as const;
    daemon.ask({
      scopes: [{ scope: 'once', grant: `“ann” may click and type on ${sites.join(', ')} for 8 hours.` }],
      prompt: { sentence: 'Click and type', folder },
    });
    await page.getByRole('checkbox', { name: /Allow this folder/ }).check();
    for (const part of [page.locator('.prompt h1'), page.locator('.who'), allow, deny])
      expect(await part.evaluate(isInView)).toBe(true);
  },
);

/** Whether the middle of an element is what a person sees there, and the element lies whole on the screen. Runs in the page. */
function isInView(element: Element): boolean {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const front = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return top >= 0 && bottom <= window.innerHeight && bottom - top >= 8 && element.contains(front);
}

test('A5: HTML in every text stays text', async () => {
  const { page, daemon, prompt, openDetails } = await openDashboard();
  daemon.ask({
    userId: HTML,
    scopes: [{ scope: 'once', grant: HTML }],
    prompt: {
      requester: {
        userId: HTML,
        via: 'http',
        knownSince: '2026-01-01T00:00:00.000Z',
        hasKey: false,
        program: {
          kind: 'program',
          uid: 1,
          pid: 2,
          name: HTML,
          path: `/bin/${HTML}`,
          script: HTML,
          startedBy: [{ pid: 3, name: HTML }],
        },
      },
      device: HTML,
      sentence: HTML,
      arguments: HTML,
      changes: HTML,
      risk: { level: 'medium', reasons: [HTML] },
      task: { name: HTML, step: 1, of: 2, alsoAsks: [HTML] },
      history: HTML,
      reason: HTML,
    },
  });
  await openDetails();
  const text = (await prompt.textContent()) ?? '';
  expect(text.split(HTML)).toHaveLength(1 + 15);
  expect(await prompt.locator('img, script').count()).toBe(0);
  expect(await page.locator('button.allow').count()).toBe(1);
});

test('A5: right-to-left overrides and zero-width characters are written out, also if the daemon sent them raw', async () => {
  const { daemon, prompt, openDetails } = await openDashboard();
  const hostile = '{"appName":"Notes\\u{202e}fdp.exe\u202egnp\u200b\u2066\u0007"}';
  daemon.ask({ prompt: { arguments: hostile, sentence: 'Open \u202eetoN', reason: 'a\u200db' } });
  await openDetails();
  expect(await prompt.getByLabel('Exact arguments').textContent()).toBe(
    '{"appName":"Notes\\u{202e}fdp.exe\\u{202e}gnp\\u{200b}\\u{2066}\\u{7}"}',
  );
  expect(await prompt.textContent()).not.toMatch(/[\u200b-\u200f\u202a-\u202e\u2066-\u2069]/);
  expect(await prompt.getByRole('heading').textContent()).toBe('Open \\u{202e}etoN');
  expect(await prompt.locator('mark').allTextContents()).toEqual([
    '\\u{202e}',
    '\\u{200d}',
    '\\u{202e}',
    '\\u{202e}',
    '\\u{200b}\\u{2066}\\u{7}',
  ]);
});

test('A5: right-to-left letters turn nothing around them', async () => {
  const { page, daemon, openDetails } = await openDashboard();
  daemon.ask({ prompt: { reason: 'שלום' } });
  await openDetails();
  const isolated = await page
    .locator('bdi')
    .evaluateAll((elements) => elements.map((element) => getComputedStyle(element).unicodeBidi));
  expect(new Set(isolated)).toEqual(new Set(['isolate']));
});

test('A5: 10,000 characters are there to the last, and Allow waits until they were scrolled through', async () => {
  const { page, daemon, prompt, allow, clickAt, allowIsAlive, denyIsAlive, openDetails } = await openDashboard();
  const text = `{"text":"${'a b '.repeat(2_500)}THE END"}`;
  const { id } = daemon.ask({ prompt: { arguments: text } });
  await denyIsAlive();
  await page.getByText('Press M and scroll to unlock Allow.').waitFor();
  await openDetails();
  const box = prompt.getByLabel('Exact arguments');
  expect((await box.textContent())?.trim()).toBe(text);
  await page.getByText('Scroll to unlock Allow.').waitFor();
  await page.waitForTimeout(1_500);
  await clickAt(allow);
  expect({ answers: daemon.answers, shown: daemon.shownCount(id) }).toEqual({ answers: [], shown: 0 });
  await box.focus();
  await page.keyboard.press('End');
  await prompt.getByLabel('The request').focus();
  await page.keyboard.press('End');
  await allowIsAlive();
  expect(daemon.shownCount(id)).toBe(1);
  const { scrollHeight, scrollTop, clientHeight } = await box.evaluate((element) => ({
    scrollHeight: element.scrollHeight,
    scrollTop: element.scrollTop,
    clientHeight: element.clientHeight,
  }));
  expect(scrollTop + clientHeight).toBeGreaterThanOrEqual(scrollHeight - 2);
});
