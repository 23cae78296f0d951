import { until } from '../desktop/processes.ts';
import { freshTab, type PageBench } from './page-tab.ts';
import { median, quantile } from './statistics.ts';

const LOADS = 40;

/**
 * Runs in the page: notes the ends of the first frames with the risk and with the chart, in milliseconds from the beginning of the
 * navigation. A message that is posted while a frame begins comes after that frame was laid out and painted.
 */
const NOTE_WHEN_SHOWN = `
  const shown = (window.shown = { paintMs: NaN, riskMs: NaN, chartMs: NaN });
  const selectors = { riskMs: '#risk-title .risk-score', chartMs: '.outcome-chart canvas' };
  const look = () => {
    const { port1, port2 } = new MessageChannel();
    const seen = Object.keys(selectors).filter((name) => Number.isNaN(shown[name]) && document.querySelector(selectors[name]) !== null);
    port1.onmessage = () => {
      for (const name of seen) shown[name] = performance.now();
      shown.paintMs = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN;
    };
    port2.postMessage('');
    if (Object.values(shown).some(Number.isNaN)) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
`;
const ALL_SHOWN = 'Object.values(window.shown).some(Number.isNaN) ? undefined : window.shown';

type Shown = { paintMs: number; riskMs: number; chartMs: number };

/** The overview in a browser profile that is new each time: nothing of the page is kept from before. The daemon is warm. */
export async function benchFirstPaint(bench: PageBench): Promise<void> {
  const { daemon, report } = bench;
  report.heading(`The overview, from opening its address in a new browser profile, ${LOADS} times`);
  const samples: Shown[] = [];
  for (let count = 0; count <= LOADS; count += 1) {
    const { page } = await freshTab(bench);
    await page.addInitScript(NOTE_WHEN_SHOWN);
    await page.goto(`${daemon.base}/#/overview`);
    await page.locator('.outcome-chart canvas').waitFor();
    const shown = await until('everything is shown', () => page.evaluate<Shown | undefined>(ALL_SHOWN));
    // The first one warms up the daemon.
    if (count > 0) samples.push(shown);
    await page.context().close();
  }
  const figures = (name: string, of: keyof Shown, atMost?: number) => {
    const values = samples.map((each) => each[of]);
    const goal = atMost === undefined ? {} : { goal: { atMost } };
    report.figure({ name: `${name}, p50`, value: median(values), unit: 'ms', ...goal });
    report.figure({ name: `${name}, p99`, value: quantile(values, 0.99), unit: 'ms' });
  };
  figures('first contentful paint', 'paintMs');
  figures('the risk is on the screen', 'riskMs', 300);
  figures('the chart of the day is on the screen', 'chartMs');
}
