import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FilesRig, startFilesRig } from '../e2e/files-rig.ts';
import { seriousFaults } from './accessibility.ts';
import { typeCode, usePages, WINDOW } from './page-rig.ts';
import { handsOn } from './prompt-hands.ts';
import { askFor, KINDS } from './prompt-kinds.ts';

const { openPage } = usePages();

const TALL_PANEL = { width: 420, height: 700 };
const MOST_WORDS = 90;
const LOOKS = [
  { colorScheme: 'light', viewport: WINDOW },
  { colorScheme: 'dark', viewport: TALL_PANEL },
  { colorScheme: 'light', viewport: TALL_PANEL },
  { colorScheme: 'dark', viewport: WINDOW },
] as const;

/** What a person decides by, without any scrolling. */
const PARTS = 'h1, .who, .dangers, .target, .prompt-text, .more-button, .time-left, button.deny, button.allow';

let rig: FilesRig;

beforeAll(async () => {
  rig = await startFilesRig();
});

afterAll(() => rig.stop());

async function openSignedIn(): Promise<Page> {
  const { page } = await openPage({ viewport: WINDOW });
  await page.goto(rig.daemon.base);
  const { body } = await rig.console<{ code: string }>('/session/code', { method: 'POST' });
  await typeCode(page, body.code);
  await page.getByText('No requests waiting').waitFor();
  return page;
}

test.each(KINDS)(
  '$name: the first layer fits without scrolling, in at most 90 words, and everybody can use it',
  async (kind) => {
    const page = await openSignedIn();
    await askFor(kind, rig);
    const { prompt, denyIsAlive, notice } = handsOn(page);
    await prompt.waitFor();
    for (const look of LOOKS) {
      const { colorScheme, viewport } = look;
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await isPainted(page);
      await takePicture(page, kind.name, look);
      expect(await page.evaluate(placesOutside, PARTS)).toEqual([]);
      expect(await page.evaluate(wordsOnScreen)).toBeLessThanOrEqual(MOST_WORDS);
      expect(await seriousFaults(page)).toEqual([]);
    }
    await page.keyboard.press('m');
    await prompt.getByText('Asked by').waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await takePicture(page, `${kind.name}-more`, { colorScheme: 'dark', viewport: WINDOW });
    await denyIsAlive();
    await page.keyboard.press('Escape');
    await notice.getByText('Denied: ').waitFor();
  },
);

/** For a person who looks at the pictures: HANDRAIL_TEST_PICTURES names their folder. */
async function takePicture(page: Page, name: string, { colorScheme, viewport }: (typeof LOOKS)[number]): Promise<void> {
  const folder = process.env.HANDRAIL_TEST_PICTURES;
  if (folder === undefined) return;
  process.stdout.write(`${name} ${viewport.width}: ${await page.evaluate(wordsOnScreen)} words\n`);
  await page.screenshot({ path: join(folder, `${name}-${viewport.width}-${colorScheme}.png`) });
}

async function isPainted(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/** Runs in the page: the parts of the prompt that do not lie whole on the screen, and its body if that scrolls. */
function placesOutside(parts: string): string[] {
  const body = document.querySelector('.prompt-body');
  const elements = [...document.querySelectorAll(`.prompt :is(${parts})`)];
  const limits = document.querySelector('.content')?.getBoundingClientRect();
  if (body === null || limits === undefined || elements.length < 6) return ['the prompt is not there'];
  const outside = elements.filter((element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const isEmpty = right - left < 1 || bottom - top < 1;
    const frame = body.contains(element) ? body.getBoundingClientRect() : limits;
    return isEmpty || left < frame.left || top < frame.top || right > frame.right || bottom > frame.bottom;
  });
  const scrolls = body.scrollHeight > body.clientHeight || body.scrollWidth > body.clientWidth;
  return [...outside.map(({ className }) => className), ...(scrolls ? ['the body scrolls'] : [])];
}

/** Runs in the page: how many words of the prompt a person sees without scrolling, those of a script or a file among them. */
function wordsOnScreen(): number {
  const prompt = document.querySelector('.prompt');
  if (prompt === null) return Number.POSITIVE_INFINITY;
  const texts = document.createTreeWalker(prompt, NodeFilter.SHOW_TEXT);
  const isSeen = (text: Node): boolean => {
    const parent = text.parentElement;
    if (parent?.checkVisibility({ visibilityProperty: true }) !== true) return false;
    const range = document.createRange();
    range.selectNodeContents(text);
    const place = range.getBoundingClientRect();
    const frame = parent.closest('section')?.getBoundingClientRect();
    return frame !== undefined && place.height > 1 && place.top < frame.bottom && place.bottom > frame.top;
  };
  let seen = '';
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode())
    if (isSeen(text)) seen += `${text.textContent} `;
  return [...seen.matchAll(/\S*[\p{L}\p{N}]\S*/gu)].length;
}
