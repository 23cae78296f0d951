import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FilesRig, startFilesRig } from '../e2e/files-rig.ts';
import { faultsOfColour, seriousFaults } from './accessibility.ts';
import { isPainted, partsOutside, wordsSeen } from './first-layer.ts';
import { typeCode, usePages, WINDOW } from './page-rig.ts';
import { handsOn } from './prompt-hands.ts';
import { askFor, KINDS } from './prompt-kinds.ts';

const { openKept } = usePages();

const TALL_PANEL = { width: 420, height: 700 };
const MOST_WORDS = 90;
const LOOKS = [
  { colorScheme: 'light', viewport: WINDOW },
  { colorScheme: 'dark', viewport: TALL_PANEL },
] as const;

let rig: FilesRig;

beforeAll(async () => {
  rig = await startFilesRig();
});

afterAll(() => rig.stop());

async function signIn(page: Page): Promise<void> {
  const { body } = await rig.console<{ code: string }>('/session/code', { method: 'POST' });
  await typeCode(page, body.code);
}

async function openSignedIn(): Promise<Page> {
  const { page } = await openKept(`${rig.daemon.base}/`, signIn, { viewport: WINDOW });
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
      expect(await partsOutside(page)).toEqual([]);
      expect(await wordsSeen(page)).toBeLessThanOrEqual(MOST_WORDS);
      expect(await faultsOfColour(page)).toEqual([]);
    }
    await page.keyboard.press('m');
    await prompt.getByText('Asked by').waitFor();
    // The first layer stays where it is.
    expect(await seriousFaults(page)).toEqual([]);
    await takePicture(page, `${kind.name}-more`, { colorScheme: 'dark', viewport: TALL_PANEL });
    await denyIsAlive();
    await page.keyboard.press('Escape');
    await notice.getByText('Denied: ').waitFor();
  },
);

/** For a person who looks at the pictures, in both themes: HANDRAIL_TEST_PICTURES names their folder. */
async function takePicture(page: Page, name: string, { colorScheme, viewport }: (typeof LOOKS)[number]): Promise<void> {
  const folder = process.env.HANDRAIL_TEST_PICTURES;
  if (folder === undefined) return;
  process.stdout.write(`${name} ${viewport.width}: ${await wordsSeen(page)} words\n`);
  if ((await page.locator('.target').count()) > 0) await page.locator('.target img').waitFor();
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await isPainted(page);
    await page.screenshot({ path: join(folder, `${name}-${viewport.width}-${theme}.png`) });
  }
  await page.emulateMedia({ colorScheme });
}
