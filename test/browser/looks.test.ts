import sharp from 'sharp';
import { expect, test } from 'vitest';
import { seriousFaults } from './accessibility.ts';
import { newRequester, newTask } from './made-up.ts';
import { LOOKS, overflow, type PageRig, typeCode, usePages, WINDOW } from './page-rig.ts';

const { openBlank, openDashboard, openOwnDashboard } = usePages();

const WRONG_CODE = 'QQQQ-7777';
/** A window of 1280 × 800 at 200 %. */
const TWICE = { width: 640, height: 400 };
/** The radius of the corners of a card. */
const RADIUS = 12;

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

test.each(LOOKS)(
  'everybody can use it, nothing sticks out sideways, and both answers are on screen: $colorScheme, $viewport.width wide',
  async ({ colorScheme, viewport }) => {
    const signIn = await openBlank({ colorScheme, viewport });
    await signIn.page.goto(signIn.url);
    await typeCode(signIn.page, WRONG_CODE);
    await signIn.page.getByRole('alert').waitFor();
    expect(await seriousFaults(signIn.page)).toEqual([]);
    const rig = await openDashboard({ colorScheme, viewport });
    const { page, deny, allow, denyIsAlive } = rig;
    expect(await seriousFaults(page)).toEqual([]);
    fillWithEverything(rig);
    await page.locator('.flood').waitFor();
    await page.getByText('Agent stopped · 1 paused').waitFor();
    await denyIsAlive();
    expect(await overflow(page)).toBe(0);
    for (const button of [deny, allow]) {
      const box = await button.boundingBox();
      expect((box?.y ?? Number.NaN) + (box?.height ?? 0)).toBeLessThanOrEqual(viewport.height);
    }
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByRole('link', { name: /Access/ }).click();
    await page.getByRole('heading', { name: 'Grants' }).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
  },
);

test('at 200 % a prompt has both answers on screen, and its text scrolls between them and the headline', async () => {
  const { page, daemon, denyIsAlive, deny, allow, prompt, openDetails } = await openOwnDashboard({
    viewport: TWICE,
    deviceScaleFactor: 2,
  });
  daemon.ask({
    level: 'high',
    prompt: { reason: 'To see it. '.repeat(40), arguments: `{"text":"${'a'.repeat(900)}"}` },
  });
  await denyIsAlive();
  const insideOf = async (box: { x: number; y: number; width: number; height: number } | null) =>
    box !== null && box.x >= 0 && box.y >= 0 && box.x + box.width <= TWICE.width && box.y + box.height <= TWICE.height;
  for (const place of [deny, allow, prompt.getByRole('heading').first()])
    expect(await insideOf(await place.boundingBox())).toBe(true);
  await openDetails();
  const body = page.locator('.prompt-body');
  expect(await body.evaluate(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)).toBe(true);
  expect(await seriousFaults(page)).toEqual([]);
});

test('the field of a high risk fills the upper corners of its card', async () => {
  const { page, daemon, denyIsAlive } = await openDashboard({ viewport: WINDOW });
  daemon.ask({ level: 'high' });
  await denyIsAlive();
  const card = await page.locator('.prompt').boundingBox();
  if (card === null) throw new Error('the card is on the page');
  const clip = { x: card.x, y: card.y, width: RADIUS, height: RADIUS };
  const { data } = await sharp(await page.screenshot({ clip }))
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [...data.subarray(3 * (y * RADIUS + x), 3 * (y * RADIUS + x) + 3)];
  const field = at(RADIUS - 1, RADIUS - 1);
  const places = Array.from(
    { length: RADIUS * RADIUS },
    (_, index) => [index % RADIUS, Math.floor(index / RADIUS)] as const,
  );
  // The outermost pixels are the edge of the card, which is blended with its ground.
  const inCard = places.filter(([x, y]) => x > 1 && Math.hypot(RADIUS - x - 0.5, RADIUS - y - 0.5) < RADIUS - 1.5);
  expect(inCard.filter(([x, y]) => at(x, y).join() !== field.join())).toEqual([]);
});

test.each(LOOKS)('everybody can use plans and tasks: $colorScheme, $viewport.width wide', async (options) => {
  const { page, daemon, denyIsAlive, allow } = await openDashboard(options);
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
  await denyIsAlive();
  expect(await seriousFaults(page)).toEqual([]);
  const box = await allow.boundingBox();
  expect((box?.y ?? Number.NaN) + (box?.height ?? 0)).toBeLessThanOrEqual(options.viewport.height);
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'Did it happen?' }).waitFor();
  expect(await seriousFaults(page)).toEqual([]);
  expect(await overflow(page)).toBe(0);
});

test.each(LOOKS)('everybody can use the cards of answers: $colorScheme, $viewport.width wide', async (options) => {
  const { page, daemon, allow, allowIsAlive, denyIsAlive, prompt } = await openDashboard(options);
  const outcome = page.locator('.outcome');
  daemon.ask({ prompt: { sentence: 'Allowed one' } });
  await allowIsAlive();
  await allow.click();
  await outcome.getByText('Allowed: Allowed one').waitFor();
  expect(await seriousFaults(page)).toEqual([]);
  daemon.ask({ prompt: { sentence: 'Denied one' } });
  await denyIsAlive();
  await page.keyboard.press('Escape');
  await outcome.getByText('Denied: Denied one').waitFor();
  expect(await seriousFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Undo the denial: Denied one' }).click();
  await prompt.waitFor();
  await denyIsAlive();
  expect(await seriousFaults(page)).toEqual([]);
  const [waiting] = daemon.confirmations.list();
  daemon.end(String(waiting?.id), 'expired');
  await page.locator('.notice').getByText('withdrawn').waitFor();
  expect(await seriousFaults(page)).toEqual([]);
});

test.each([
  ['more contrast', { contrast: 'more' }],
  ['forced colours', { forcedColors: 'active' }],
] as const)('everybody can use prompts and cards with %s', async (_wish, media) => {
  const { page, daemon, denyIsAlive } = await openDashboard({ viewport: WINDOW });
  await page.emulateMedia(media);
  daemon.ask({ level: 'high', prompt: { sentence: 'A risky one' } });
  await denyIsAlive();
  const band = page.locator('.risk-band');
  const colours = await band.evaluate((each) => [getComputedStyle(each).color, getComputedStyle(each).backgroundColor]);
  expect(new Set(colours).size).toBe(2);
  expect(await seriousFaults(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.locator('.outcome').waitFor();
  expect(await seriousFaults(page)).toEqual([]);
});

test('with reduced motion nothing glides', async () => {
  const { page, daemon } = await openDashboard({ reducedMotion: 'reduce' });
  daemon.ask();
  const timing = page.locator('.allow[data-arming="waiting"] .allow-fill');
  expect(await timing.evaluate((element) => getComputedStyle(element).animationTimingFunction)).toContain('steps');
});

test('nothing on the page but the filling of Allow moves by itself', async () => {
  const { page, daemon, allowIsAlive } = await openDashboard({ viewport: WINDOW });
  daemon.ask();
  await allowIsAlive();
  const moving = () =>
    page.evaluate(() => [
      ...new Set(
        document
          .getAnimations()
          .map(({ effect }) => (effect instanceof KeyframeEffect ? effect.target : null)?.className),
      ),
    ]);
  expect((await moving()).filter((name) => name !== 'allow-fill')).toEqual([]);
  await page.keyboard.press('Escape');
  await page.locator('.outcome').waitFor();
  expect(await moving()).toEqual([]);
});

test('everything is reached by Tab, and what has the focus shows it', async () => {
  const rig = await openDashboard();
  const { page, openDetails } = rig;
  fillWithEverything(rig);
  await page.locator('.flood').waitFor();
  await openDetails();
  await page.evaluate(() =>
    document.activeElement instanceof HTMLElement ? document.activeElement.blur() : undefined,
  );
  const visited = new Set<string>();
  for (let step = 0; step < 26; step += 1) {
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
      'Show the problems',
      'The request',
      'Exact arguments',
      'INPUT',
      'Deny esc',
      'Hold to allow once',
      '2 more minutes',
      'Less M',
      'Deny all 4',
      'Pause flooder',
    ]),
  );
});
