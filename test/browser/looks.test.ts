import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { newRequester, newTask } from './made-up.ts';
import { PANEL, type PageRig, typeCode, usePages, WINDOW } from './page-rig.ts';
import { handsOn } from './prompt-hands.ts';

const { openBlank, openDashboard } = usePages();

const WRONG_CODE = 'QQQQ-7777';
const LOOKS = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [PANEL, WINDOW].map((viewport) => ({ colorScheme, viewport, width: viewport.width })),
);

async function complaintsAbout(page: Page): Promise<unknown[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => ({ id, where: nodes.map(({ target, failureSummary }) => ({ target, failureSummary })) }));
}

function fillWithEverything({ daemon }: PageRig): void {
  const reason = 'To see what lies around.';
  daemon.ask({
    level: 'high',
    scopes: [
      { scope: 'once', grant: 'Only this once.' },
      { scope: 'task', grant: 'This task may take screenshots.' },
    ],
    prompt: { reason, arguments: '{"a":"\\u{202e}"}', task: { name: 'Tidy', step: 1, of: 2, alsoAsks: ['Type'] } },
  });
  for (let count = 0; count < 4; count += 1) daemon.ask({ userId: 'flooder' });
  daemon.ask({ userId: 'ann' });
  daemon.grant();
  daemon.set({ agent: 'offline', requesters: [newRequester('bob', 'Three denials in a row.')] });
}

test.each(LOOKS)('everybody can use it: $colorScheme, $width wide', async ({ colorScheme, viewport }) => {
  const signIn = await openBlank({ colorScheme, viewport });
  await signIn.page.goto(signIn.url);
  await typeCode(signIn.page, WRONG_CODE);
  await signIn.page.getByRole('alert').waitFor();
  expect(await complaintsAbout(signIn.page)).toEqual([]);
  const rig = await openDashboard({ colorScheme, viewport });
  expect(await complaintsAbout(rig.page)).toEqual([]);
  fillWithEverything(rig);
  await rig.page.locator('.flood').waitFor();
  await rig.page.getByText('bob is paused').waitFor();
  await handsOn(rig.page).denyIsAlive();
  expect(await complaintsAbout(rig.page)).toEqual([]);
  await rig.page.getByRole('link', { name: /Access/ }).click();
  await rig.page.getByRole('heading', { name: 'Grants' }).waitFor();
  expect(await complaintsAbout(rig.page)).toEqual([]);
});

test.each(LOOKS)(
  'nothing sticks out sideways, and both answers are on screen: $colorScheme, $width wide',
  async (options) => {
    const rig = await openDashboard(options);
    const { page } = rig;
    fillWithEverything(rig);
    await page.locator('.flood').waitFor();
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBe(0);
    for (const button of [handsOn(page).deny, handsOn(page).allow]) {
      const box = await button.boundingBox();
      expect((box?.y ?? Number.NaN) + (box?.height ?? 0)).toBeLessThanOrEqual(options.viewport.height);
    }
  },
);

test.each(LOOKS)('everybody can use plans and tasks: $colorScheme, $width wide', async (options) => {
  const { page, daemon } = await openDashboard(options);
  daemon.ask({
    level: 'critical',
    plan: [
      { id: 'open', consent: 'none' },
      { id: 'shot', risk: { level: 'critical', reasons: ['It may do anything.'] } },
      { id: 'low', risk: { level: 'low', reasons: ['It changes nothing.'] } },
      { id: 'later', consent: 'later' },
      { id: 'self', consent: 'blocked' },
    ],
  });
  const { steps } = newTask();
  daemon.stick({ steps: steps.map((step) => ({ ...step, status: 'unknown', sentence: 'Quit the app “mousepad”' })) });
  await handsOn(page).denyIsAlive();
  expect(await complaintsAbout(page)).toEqual([]);
  const box = await handsOn(page).allow.boundingBox();
  expect((box?.y ?? Number.NaN) + (box?.height ?? 0)).toBeLessThanOrEqual(options.viewport.height);
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'Did it happen?' }).waitFor();
  expect(await complaintsAbout(page)).toEqual([]);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBe(0);
});

test('with reduced motion nothing glides', async () => {
  const { page, daemon } = await openDashboard({ reducedMotion: 'reduce' });
  daemon.ask();
  const timing = page.locator('.allow[data-arming="waiting"] .allow-fill');
  expect(await timing.evaluate((element) => getComputedStyle(element).animationTimingFunction)).toContain('steps');
});

test('everything is reached by Tab, and what has the focus shows it', async () => {
  const rig = await openDashboard();
  const { page } = rig;
  fillWithEverything(rig);
  await page.locator('.flood').waitFor();
  await page.evaluate(() =>
    document.activeElement instanceof HTMLElement ? document.activeElement.blur() : undefined,
  );
  const visited = new Set<string>();
  for (let step = 0; step < 24; step += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      if (element === null || element === document.body) return undefined;
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      const name = element.getAttribute('aria-label') ?? element.textContent ?? '';
      return { name: name === '' ? element.tagName : name, isShown: outlineStyle !== 'none' && outlineWidth !== '0px' };
    });
    if (focused === undefined) continue;
    expect(focused).toMatchObject({ isShown: true });
    visited.add(focused.name);
  }
  expect([...visited]).toEqual(
    expect.arrayContaining([
      'Requests 6',
      'Pause',
      'Resume bob',
      'The request',
      'Exact arguments',
      'INPUT',
      'Deny esc',
      'Hold to allow',
      'Deny all 4',
      'Pause flooder',
    ]),
  );
});
