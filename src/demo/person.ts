import { existsSync } from 'node:fs';
import type { Page } from 'playwright';
import type { ScriptedPerson } from './story.ts';

/** The headless shell first: a page in it takes a fifth of the processor time. */
const CHROMIUM = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
);
/** A careful person takes more than two seconds. */
const READING_MS = 3_000;
const MOST_SCREENS = 40;
const WINDOW = { width: 1440, height: 900 };

export type BrowserPerson = ScriptedPerson & { page: Page; close(): Promise<void> };

type SignIn = { base: string; code: string };

/** A scripted person with a headless Chromium: signs in, and answers prompts as a person does, with the mouse. */
export async function openBrowserPerson({ base, code }: SignIn): Promise<BrowserPerson> {
  // Playwright comes with the packages for development, and only `--auto` needs it.
  const { chromium } = await import('playwright');
  const executablePath = CHROMIUM.find((path) => existsSync(path));
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const page = await browser.newPage({ viewport: WINDOW });
  await page.goto(base);
  await page.getByLabel('One-use code').fill(code);
  await page.keyboard.press('Enter');
  await page.getByText('No requests waiting').waitFor();
  const prompt = page.getByRole('alertdialog');
  return {
    page,
    async allow() {
      await prompt.waitFor();
      await page.waitForTimeout(READING_MS);
      await readUntilAllowed(page);
      await prompt.waitFor({ state: 'detached' });
    },
    async deny() {
      await prompt.waitFor();
      await page.locator('button.deny:not([aria-disabled="true"])').click();
      await prompt.waitFor({ state: 'detached' });
    },
    close: () => browser.close(),
  };
}

/** Allow unlocks only when every step of a plan and every text was on the screen, so the prompt is opened and scrolled as a reader does. */
async function readUntilAllowed(page: Page): Promise<void> {
  const allow = page.locator('button.allow:not([aria-disabled="true"])');
  for (let screens = 0; screens < MOST_SCREENS && (await allow.count()) === 0; screens += 1) {
    if (await page.getByText('Press M and scroll').isVisible()) await page.keyboard.press('m');
    for (const edge of await page.locator('.prompt .edge').all()) await edge.scrollIntoViewIfNeeded();
    await page.waitForTimeout(250);
  }
  await allow.click();
}
