import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../desktop/processes.ts';
import { type PageBench, signedIn } from './page-tab.ts';
import { startPlainChromium } from './plain-chromium.ts';
import type { Report } from './report.ts';
import { shortened } from './short.ts';
import { median, quantile } from './statistics.ts';

const LOADS = shortened(40);
/** A window of Chromium that was opened just now loads pages of its own for about a second. */
const WINDOW_OPENS_MS = 1_500;
/** Looking while the page begins would take some of the processor from it. */
const UNWATCHED_MS = 700;

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

/**
 * The overview in a browser profile that is new each time: nothing of the page is kept from before. The daemon is warm. A person opens
 * the page in a window that is there; how long it takes in a window that is being opened is told beside.
 */
export async function benchFirstPaint({ daemon, person, report }: PageBench): Promise<void> {
  const browser = await startPlainChromium();
  try {
    const load = async (windowOpensMs: number): Promise<Shown> => {
      const tab = await browser.openTab();
      await pause(windowOpensMs);
      await tab.open(`${daemon.base}/#/overview`, signedIn(person) + NOTE_WHEN_SHOWN);
      await pause(UNWATCHED_MS);
      const shown = await until(
        'everything is shown',
        async () => (await tab.evaluate(ALL_SHOWN)) as Shown | undefined,
      );
      await tab.close();
      return shown;
    };
    // The first one warms up the daemon.
    await load(WINDOW_OPENS_MS);
    report.heading(`The overview, from opening its address in a new browser profile, ${LOADS} times`);
    figures(report, await times(() => load(WINDOW_OPENS_MS)), 300);
    report.heading(`The same while the window itself is being opened, ${LOADS} times`);
    figures(report, await times(() => load(0)));
  } finally {
    await browser.close();
  }
}

async function times(load: () => Promise<Shown>): Promise<Shown[]> {
  const samples: Shown[] = [];
  while (samples.length < LOADS) samples.push(await load());
  return samples;
}

function figures(report: Report, samples: readonly Shown[], atMost?: number): void {
  const figure = (name: string, of: keyof Shown, goal = {}) => {
    const values = samples.map((each) => each[of]);
    report.figure({ name: `${name}, p50`, value: median(values), unit: 'ms', ...goal });
    report.figure({ name: `${name}, p99`, value: quantile(values, 0.99), unit: 'ms' });
  };
  const goal = atMost === undefined ? {} : { goal: { atMost } };
  figure('first contentful paint', 'paintMs', goal);
  figure('the risk is on the screen', 'riskMs', goal);
  figure('the chart of the day is on the screen', 'chartMs');
}
