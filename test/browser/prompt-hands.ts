import type { Locator, Page } from 'playwright';

/** A person's hands and eyes on the prompt that is shown. */
export function handsOn(page: Page) {
  const allow = page.locator('button.allow');
  const deny = page.getByRole('button', { name: /^Deny esc$/ });
  async function openDetails(): Promise<void> {
    await page.locator('.more-button').waitFor();
    if ((await page.locator('.more-button[aria-expanded="false"]').count()) > 0) await page.keyboard.press('m');
    await page.locator('.more-button[aria-expanded="true"]').waitFor();
  }

  return {
    allow,
    deny,
    prompt: page.getByRole('alertdialog'),
    /** The page's notice about the latest answer or event. */
    notice: page.locator('.notice, .outcome'),
    /** Waits until Allow is alive; rejects if that does not come. */
    allowIsAlive: () => page.locator('button.allow:not([aria-disabled="true"])').waitFor(),
    denyIsAlive: () => page.locator('button.deny:not([aria-disabled="true"])').waitFor(),
    openDetails,
    /** Unfolds the details and reads by Space alone, page by page, until Allow begins to unlock. */
    async readToEnd(): Promise<void> {
      await openDetails();
      for (let pages = 0; pages < 60; pages += 1) {
        await isPainted(page);
        if ((await allow.getAttribute('data-arming')) !== 'partly seen') return;
        await page.keyboard.press('Space');
      }
    },
    /** Presses the mouse button at the place of an element, without waiting until it is ready. */
    async pressAt(target: Locator): Promise<void> {
      await moveTo(page, target);
      await page.mouse.down();
    },
    async clickAt(target: Locator): Promise<void> {
      await moveTo(page, target);
      await page.mouse.down();
      await page.mouse.up();
    },
    /** Holds the mouse button down until Allow says that letting go counts. */
    async holdAllow(): Promise<void> {
      await moveTo(page, allow);
      await page.mouse.down();
      await page.getByText('Let go to allow').waitFor();
      await page.mouse.up();
    },
  };
}

/** What was scrolled away before it was painted has not been on screen. */
export async function isPainted(page: Page): Promise<void> {
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
}

/** From now on time passes in the page only when the test says so. For a page of the test's own. */
export async function stopTime(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 5_000);
}

async function moveTo(page: Page, target: Locator): Promise<void> {
  const box = await target.boundingBox();
  if (box === null) throw new Error('what is to be clicked is not on the page');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
}
