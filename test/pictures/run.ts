import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import sharp from 'sharp';
import { buildPageIfNeeded } from '../../renderer/build-if-needed.ts';
import { openBrowserPerson } from '../../src/demo/person.ts';
import { runDemo } from '../../src/demo/run-demo.ts';

/**
 * `npm run pictures`: plays the demo with a scripted person and takes the pictures of the README from it, so that they show the page
 * as it is. Each is a PNG of at most 200 kB.
 */
const FOLDER = join(import.meta.dirname, '../../.github/pictures');
const MOST_BYTES = 200 * 1_024;
const WINDOW = { width: 1_280, height: 800 };

mkdirSync(FOLDER, { recursive: true });
buildPageIfNeeded();
const taken = new Set<string>();
await runDemo({
  environment: process.env,
  write: (text) => void process.stdout.write(text),
  isColoured: process.stdout.isTTY,
  signal: AbortSignal.timeout(300_000),
  async openPerson(daemon) {
    const person = await openBrowserPerson(daemon);
    const { page } = person;
    await page.setViewportSize(WINDOW);
    return {
      ...person,
      async allow() {
        await page.getByRole('alertdialog').waitFor();
        if (!taken.has('prompt')) await takeWhenAlive(page);
        await person.allow();
      },
      async close() {
        await takeLater(page, daemon.base);
        await person.close();
      },
    };
  },
  atTheEnd: async () => undefined,
});

async function takeWhenAlive(page: Page): Promise<void> {
  await page.locator('button.allow:not([aria-disabled="true"])').waitFor();
  await take(page, 'prompt');
}

async function takeLater(page: Page, base: string): Promise<void> {
  await page.goto(`${base}/#/overview`);
  await page.locator('.outcome-chart canvas').waitFor();
  await page.waitForTimeout(500);
  await take(page, 'overview');
  await page.goto(`${base}/#/activity`);
  await page.waitForTimeout(1_000);
  await take(page, 'activity');
}

async function take(page: Page, name: string): Promise<void> {
  taken.add(name);
  await page.mouse.move(0, 0);
  const png = await sharp(await page.screenshot())
    .png({ palette: true, effort: 10 })
    .toBuffer();
  if (png.byteLength > MOST_BYTES) throw new Error(`${name}.png has ${png.byteLength} bytes, more than ${MOST_BYTES}.`);
  writeFileSync(join(FOLDER, `${name}.png`), png);
  process.stdout.write(`   ${name}.png: ${Math.round(png.byteLength / 1_024)} kB\n`);
}
