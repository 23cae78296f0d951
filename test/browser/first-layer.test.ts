import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FilesRig, startFilesRig } from '../e2e/files-rig.ts';
import { faultsOfColour, seriousFaults } from './accessibility.ts';
import { partsOutside, wordsSeen } from './first-layer.ts';
import { typeCode, usePages, WINDOW } from './page-rig.ts';
import { handsOn, isPainted } from './prompt-hands.ts';
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

async function openSignedIn(): Promise<Page> {
  const { page } = await openKept(`${rig.daemon.base}/`, async (opened) => typeCode(opened, await rig.newCode()), {
    viewport: WINDOW,
  });
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
    for (const { colorScheme, viewport } of LOOKS) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await isPainted(page);
      expect(await partsOutside(page)).toEqual([]);
      expect(await wordsSeen(page)).toBeLessThanOrEqual(MOST_WORDS);
      expect(await faultsOfColour(page)).toEqual([]);
    }
    await page.keyboard.press('m');
    await prompt.getByText('Asked by').waitFor();
    // The first layer stays where it is.
    expect(await seriousFaults(page)).toEqual([]);
    await denyIsAlive();
    await page.keyboard.press('Escape');
    await notice.getByText('Denied: ').waitFor();
  },
);
