import type { Page } from 'playwright';
import { beforeAll, expect, test } from 'vitest';
import { tellMuch } from './much-told.ts';
import { WINDOW } from './page-rig.ts';
import { useRealDaemon } from './real-daemon.ts';

const { openAt, current } = useRealDaemon();
const SCREEN = { width: 1_920, height: 1_080 };
const PANEL = { width: 420, height: 700 };

beforeAll(async () => {
  const { daemon } = current();
  const { id: targetDeviceId } = await daemon.register();
  const step = { id: 'look', targetDeviceId, actionType: 'DescribeScreen', parameters: {} };
  await daemon.submit({ targetDeviceId, actionType: 'Wait', parameters: { durationMs: 1 } });
  await daemon.call('/api/tee/tasks', { userId: 'ann', body: { name: 'Look once', steps: [step] } });
});

/** The widest gap to the right of a row of panels. */
function widestHole(page: Page): Promise<number> {
  return page.locator('.overview > .overview-row').evaluateAll((rows) => {
    const holes = rows.flatMap((row) => {
      const lines = Map.groupBy([...row.children], (panel) => Math.round(panel.getBoundingClientRect().top));
      const { right } = row.getBoundingClientRect();
      return [...lines.values()].map((panels) =>
        Math.round(right - Math.max(...panels.map((panel) => panel.getBoundingClientRect().right))),
      );
    });
    return Math.max(...holes);
  });
}

test.each([WINDOW, SCREEN, PANEL])('the overview has no hole beside its panels: $width wide', async (viewport) => {
  const { page } = await openAt('#/overview', { viewport });
  await page.locator('.outcome-chart canvas').waitFor();
  expect(await widestHole(page)).toBe(0);
  await tellMuch(page);
  await page.locator('.insight').first().waitFor();
  expect(await widestHole(page)).toBe(0);
});

/** Runs in the page: the names of the elements that a Tab should stop at and did not. A group of radio buttons is one stop. */
const UNREACHED = `[...document.querySelectorAll('a[href], button, input, select, textarea, summary')]
  .filter((element) => element.checkVisibility() && element.dataset.reached === undefined)
  .filter((element) => !(element.type === 'radio' && !element.checked))
  .map((element) => element.getAttribute('aria-label') ?? element.textContent ?? element.tagName)`;

test.each([
  'overview',
  'metrics',
  'metrics/action_rate',
  'insights',
  'procedures',
  'access',
  'devices',
  'settings',
  'activity?view=tasks',
])('the keyboard alone reaches everything on #/%s', async (place) => {
  const { page } = await openAt(`#/${place}`);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  if (place === 'insights') await tellMuch(page);
  await page.locator('.content a, .content button').first().waitFor();
  const stops = await page.locator('a[href], button, input, select, textarea, summary').count();
  for (let step = 0; step < stops + 12; step += 1) {
    await page.keyboard.press('Tab');
    await page.evaluate(() => {
      if (document.activeElement instanceof HTMLElement) document.activeElement.dataset.reached = 'true';
    });
  }
  expect(await page.evaluate(UNREACHED)).toEqual([]);
});
