import { freshTab, type PageBench } from './page-tab.ts';
import { shortened } from './short.ts';
import { median, quantile } from './statistics.ts';

const FRAMES = shortened(600);
const STEP_PX = 180;

/** Runs in the page: goes to the end again and again until there are no older rows. */
const LOAD_ALL = `(async () => {
  const list = document.querySelector('.activity-rows');
  while (document.querySelector('.activity-count').textContent.includes('scroll for older')) {
    list.scrollTo(0, list.scrollHeight);
    await new Promise(requestAnimationFrame);
  }
})()`;

/**
 * Runs in the page: scrolls some rows with each frame, and answers how long the work of each frame took, from its beginning: the
 * event of the scrolling, React, the layout and the paint, up to the message that comes after them.
 */
const SCROLL = `(async () => {
  const list = document.querySelector('.activity-rows');
  const took = [];
  list.scrollTo(0, list.scrollHeight / 2);
  for (let frame = 0; frame < ${FRAMES}; frame += 1) {
    await new Promise(requestAnimationFrame);
    list.scrollBy(0, -${STEP_PX});
    const frameAtMs = await new Promise(requestAnimationFrame);
    const { port1, port2 } = new MessageChannel();
    const painted = new Promise((resolve) => { port1.onmessage = resolve; });
    port2.postMessage('');
    await painted;
    took.push(performance.now() - frameAtMs);
  }
  return { took, rows: document.querySelectorAll('.activity-row').length };
})()`;

/** Scrolls through the log once all of its rows are loaded. */
export async function benchScroll(bench: PageBench): Promise<void> {
  const { daemon, report } = bench;
  report.heading('The activity, scrolled with all of its rows loaded');
  const { page } = await freshTab(bench);
  await page.goto(`${daemon.base}/#/activity?view=actions`);
  await page.locator('.activity-row').first().waitFor();
  const startedAtMs = performance.now();
  await page.evaluate(LOAD_ALL);
  const loaded = await page.locator('.activity-count').textContent();
  report.figure({ name: `${loaded} loaded within`, value: (performance.now() - startedAtMs) / 1_000, unit: 's' });
  const { took, rows } = await page.evaluate<{ took: number[]; rows: number }>(SCROLL);
  report.figure({ name: 'work of a frame, p50', value: median(took), unit: 'ms', goal: { atMost: 16 } });
  report.figure({ name: 'work of a frame, p99', value: quantile(took, 0.99), unit: 'ms' });
  report.figure({ name: 'rows in the DOM', value: rows, unit: '', goal: { atMost: 80 } });
  await page.context().close();
}
