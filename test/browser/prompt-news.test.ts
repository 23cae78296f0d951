import { expect, test } from 'vitest';
import { CURL } from './made-up.ts';
import { usePages, WINDOW } from './page-rig.ts';

const { openDashboard } = usePages();

const UNKNOWN = { kind: 'unknown', because: 'It was not looked up.' } as const;
const STRANGER = {
  userId: 'ann',
  via: 'http',
  knownSince: '2025-03-02T10:00:00.000Z',
  hasKey: false,
  program: UNKNOWN,
} as const;
const LONG = JSON.stringify({ lines: Array.from({ length: 80 }, (_none, index) => `line ${index}`) }, null, 1);

test('when the program behind a requester becomes known, focus, unfolded parts, scroll and choices stay, and Allow waits anew', async () => {
  const { page, daemon, prompt, allow, deny, allowIsAlive, readToEnd } = await openDashboard({ viewport: WINDOW });
  const scopes = [
    { scope: 'once' as const, grant: 'Only this once.' },
    { scope: 'minutes15' as const, grant: 'May take screenshots for 15 minutes.' },
  ];
  const { id } = daemon.ask({ scopes, prompt: { requester: STRANGER, arguments: LONG } });
  await readToEnd();
  await page.getByLabel('15 minutes').check();
  await allowIsAlive();
  await allow.focus();
  const body = page.locator('.prompt-body');
  const scrolled = await body.evaluate(({ scrollTop }) => scrollTop);
  expect(scrolled).toBeGreaterThan(0);
  daemon.learn(id, CURL);
  await prompt.locator('.who').getByText('curl', { exact: true }).waitFor({ state: 'attached' });
  expect([await allow.getAttribute('aria-disabled'), await deny.getAttribute('aria-disabled')]).toEqual([
    'true',
    'false',
  ]);
  expect(await allow.evaluate((button) => button === document.activeElement)).toBe(true);
  expect(await body.evaluate(({ scrollTop }) => scrollTop)).toBe(scrolled);
  expect(await page.getByLabel('15 minutes').isChecked()).toBe(true);
  expect(await page.locator('.more-button').getAttribute('aria-expanded')).toBe('true');
  // The line with the program is above. Until it was on screen, Allow does not react.
  expect(daemon.shownCount(id)).toBe(1);
  await body.evaluate((element) => element.scrollTo(0, 0));
  await allowIsAlive();
  expect(daemon.shownCount(id)).toBe(2);
});

test('a press of Allow that began before the program was known allows nothing, however long it is held', async () => {
  const { page, daemon, prompt, allow, allowIsAlive, pressAt } = await openDashboard({ viewport: WINDOW });
  const { id } = daemon.ask({ prompt: { requester: STRANGER } });
  await allowIsAlive();
  await pressAt(allow);
  daemon.learn(id, CURL);
  await prompt.locator('.who').getByText('curl', { exact: true }).waitFor();
  await allowIsAlive();
  await page.mouse.up();
  await expect.poll(() => daemon.shownCount(id)).toBe(2);
  await allow.click();
  await page.getByText('Allowed: ').waitFor();
  expect(daemon.answers).toEqual(['allow once TakeScreenshot']);
});

test('the folders of a path stand from left to right, also those in Arabic', async () => {
  const { page, daemon, denyIsAlive } = await openDashboard({ viewport: WINDOW });
  const folders = ['work', 'تقارير', 'المبيعات', 'last'];
  daemon.ask({ prompt: { sentence: `List the files in /home/ann/${folders.join('/')}` } });
  const title = page.locator('#prompt-sentence');
  await denyIsAlive();
  const lefts = await title.evaluate((heading, names) => {
    const range = document.createRange();
    const texts = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT);
    const found: number[] = [];
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      if (!names.includes(node.textContent ?? '')) continue;
      range.selectNodeContents(node);
      found.push(range.getBoundingClientRect().left);
    }
    return found;
  }, folders);
  expect(lefts).toHaveLength(folders.length);
  expect(lefts).toEqual(lefts.toSorted((one, other) => one - other));
});

test('a title takes a new line after a space or a slash, and not after a hyphen', async () => {
  const { page, daemon, denyIsAlive } = await openDashboard({ viewport: { width: 420, height: 700 } });
  const folder = '/home/ann/reports-of-the-year/second-half/q3-q4-summary/over-the-top/';
  const sentence = `Replace “letter-to-the-landlord.md” in ${folder}${'long-name-'.repeat(12)}`;
  daemon.ask({ prompt: { sentence } });
  const title = page.locator('#prompt-sentence');
  await denyIsAlive();
  expect(await title.textContent()).toBe(sentence);
  const lines = await title.evaluate((heading) => {
    const texts = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT);
    const found: { y: number; text: string }[] = [];
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode())
      for (let index = 0; index < (node.textContent ?? '').length; index += 1) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + 1);
        const { bottom } = range.getBoundingClientRect();
        const last = found.at(-1);
        if (last !== undefined && Math.abs(last.y - bottom) < 3) last.text += range.toString();
        else found.push({ y: bottom, text: range.toString() });
      }
    return found.map(({ text }) => text);
  });
  const ofNames = lines.slice(
    0,
    lines.findIndex((line) => line.includes('long-name')),
  );
  expect(ofNames.length).toBeGreaterThan(2);
  expect(ofNames.map((line) => line.trimEnd()).filter((line) => line.endsWith('-'))).toEqual([]);
  const { scrollWidth, clientWidth } = await title.evaluate((heading) => ({
    scrollWidth: heading.scrollWidth,
    clientWidth: heading.clientWidth,
  }));
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
});

test('surroundings that show nothing are replaced by the window, with the outline at its place in that', async () => {
  const { page, daemon } = await openDashboard({ viewport: WINDOW });
  const region = { x: 100, y: 100, width: 640, height: 260 };
  const whole = { x: 50, y: 40, width: 1_000, height: 700 };
  const drawing = (colour: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="26"><rect width="64" height="26" fill="white"/><rect width="20" height="9" fill="${colour}"/></svg>`;
  const pictures = await page.evaluate(
    async (svgs) =>
      Promise.all(
        svgs.map(async (svg) => {
          const image = new Image();
          image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
          await image.decode();
          const canvas = document.createElement('canvas');
          Object.assign(canvas, { width: 64, height: 26 });
          canvas.getContext('2d')?.drawImage(image, 0, 0);
          return canvas.toDataURL('image/png').split(',')[1] ?? '';
        }),
      ),
    [drawing('white'), drawing('black')],
  );
  const [blank = '', drawn = ''] = pictures;
  await page.route('**/picture*', (route) => {
    const body = Buffer.from(route.request().url().endsWith('?whole=true') ? drawn : blank, 'base64');
    return route.fulfill({ contentType: 'image/png', body });
  });
  const outlines = [{ x: 400, y: 200, width: 80, height: 30 }];
  const { id } = daemon.ask({ prompt: { target: 'region', crop: { region, whole, outlines, points: [] } } });
  const frame = page.locator('.target .outlines').first();
  await expect.poll(() => frame.getAttribute('viewBox')).toBe('50 40 1000 700');
  daemon.end(id, 'expired');
  daemon.ask({ prompt: { target: 'region', crop: { region, outlines, points: [] } } });
  await expect.poll(() => frame.getAttribute('viewBox')).toBe('100 100 640 260');
});
