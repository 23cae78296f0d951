import { rmSync } from 'node:fs';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright';
import { buildPageIfNeeded } from '../../renderer/build-if-needed.ts';
import { QUIET } from '../browser/chromium.ts';
import { typeCode } from '../browser/page-rig.ts';
import { type Console, type RunningDaemon, startDaemonProcess } from '../e2e/daemon.ts';
import { createKeepAliveClient } from './keep-alive.ts';
import { pageDatabase } from './page-database.ts';
import { scriptSizes } from './page-sizes.ts';
import { benchPrompt } from './prompt.ts';
import { createReport } from './report.ts';
import { median, quantile, timed } from './statistics.ts';

/**
 * `npm run bench:page`: how fast the dashboard is in a real Chromium, over a real daemon with 100,000 actions of 60 days. The page
 * loads its scripts anew each time, as if it had never been open.
 */
const ROWS = 100_000;
const DAYS = 60;
const LOADS = 9;
/** An hour of five actions a second. */
const HOUR_OF_ACTIONS = 18_000;
const AT_ONCE = 8;
const KILOBYTE = 1_024;
const MEGABYTE = KILOBYTE * KILOBYTE;

/** Runs in the page: notes the first frames with the risk and with the chart, in milliseconds from the beginning of the navigation. */
const NOTE_WHEN_SHOWN = `
  const shown = (window.shown = { paintMs: NaN, riskMs: NaN, chartMs: NaN });
  const selectors = { riskMs: '#risk-title', chartMs: '.outcome-chart canvas' };
  const look = () => {
    for (const [name, selector] of Object.entries(selectors))
      if (Number.isNaN(shown[name]) && document.querySelector(selector) !== null) shown[name] = performance.now();
    shown.paintMs = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN;
    if (Object.values(shown).some(Number.isNaN)) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
`;

const ALL_SHOWN = 'Object.values(window.shown).some(Number.isNaN) ? undefined : window.shown';

const report = createReport();
buildPageIfNeeded();
benchSizes();
const path = pageDatabase({ rows: ROWS, days: DAYS });
const daemon = await startDaemonProcess({ HANDRAIL_AGENT_DRIVER: 'fake', HANDRAIL_RATE_LIMITS: 'off' }, path);
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: QUIET });
try {
  const person = await daemon.signIn();
  await benchSeries(daemon, person);
  await benchFirstPaint(browser, daemon, person);
  await benchPrompt(daemon, await freshCode(daemon, person), report);
  await benchPageMemory(browser, daemon, person);
} finally {
  await browser.close();
  await daemon.stop();
  rmSync(path, { recursive: true, force: true });
}
console.log(report.missed().length === 0 ? '\nevery goal was met' : `\nmissed: ${report.missed().join('; ')}`);
process.exitCode = report.missed().length === 0 ? 0 : 1;

function benchSizes(): void {
  report.heading('Scripts of the page, gzipped');
  const { firstRoute, all } = scriptSizes();
  report.figure({ name: 'first route', value: firstRoute / KILOBYTE, unit: 'kB', goal: { atMost: 120 } });
  report.figure({ name: 'all', value: all / KILOBYTE, unit: 'kB', goal: { atMost: 220 } });
}

async function benchSeries({ base }: RunningDaemon, { key }: Console): Promise<void> {
  report.heading(`Series for charts, over ${ROWS} actions of ${DAYS} days, p99 of 200 calls`);
  const client = createKeepAliveClient(base, { authorization: `Bearer ${key}` });
  const queries = [
    'series?metric=action_rate&window=30d&points=121&usual=true&breakdown=true',
    'series?metric=action_latency_p95&window=30d&points=400&usual=true',
    'series?window=24h&points=25',
    'outcomes?window=24h&points=49',
  ];
  for (const query of queries) {
    const call = () => client.get(`/api/console/guardian/${query}`);
    const [firstMs = Number.NaN] = await timed({ calls: 1, warmUp: 0 }, call);
    const samples = await timed({ calls: 200, warmUp: 2 }, call);
    const note = `p50 ${median(samples).toFixed(1)}, first ${firstMs.toFixed(0)}`;
    report.figure({ name: query, value: quantile(samples, 0.99), unit: 'ms', goal: { atMost: 25 }, note });
  }
  client.close();
}

async function benchFirstPaint(browser: Browser, daemon: RunningDaemon, person: Console): Promise<void> {
  report.heading(`The overview, from opening its address, median of ${LOADS}`);
  const page = await signedIn(browser, daemon, person);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
  await page.addInitScript(NOTE_WHEN_SHOWN);
  await page.goto(`${daemon.base}/#/overview`);
  const samples: Shown[] = [];
  for (let count = 0; count <= LOADS; count += 1) {
    await page.reload();
    await page.locator('.outcome-chart canvas').waitFor();
    const shown = await page.waitForFunction(ALL_SHOWN).then((handle) => handle.jsonValue());
    if (count > 0) samples.push(shown as Shown);
  }
  const figure = (name: string, of: keyof Shown, atMost?: number) => {
    const value = median(samples.map((each) => each[of]));
    report.figure({ name, value, unit: 'ms', ...(atMost !== undefined && { goal: { atMost } }) });
  };
  figure('first contentful paint', 'paintMs');
  figure('the risk is on the screen', 'riskMs', 300);
  figure('the chart of the day is on the screen', 'chartMs');
  await page.context().close();
}

type Shown = { paintMs: number; riskMs: number; chartMs: number };

/** The heap of the page after a forced collection: at first, after half of the actions and after all of them. */
async function benchPageMemory(browser: Browser, daemon: RunningDaemon, person: Console): Promise<void> {
  report.heading(`The overview stays open through ${HOUR_OF_ACTIONS} actions, as many as an hour of 5 a second`);
  const page = await signedIn(browser, daemon, person);
  await page.goto(`${daemon.base}/#/overview`);
  await page.locator('.outcome-chart canvas').waitFor();
  const devtools = await page.context().newCDPSession(page);
  const device = await daemon.register();
  await actions(daemon, device.id, 500);
  const heaps = [await heapMegabytes(page, devtools)];
  for (const _half of [1, 2]) {
    const startedAtMs = performance.now();
    await actions(daemon, device.id, HOUR_OF_ACTIONS / 2);
    heaps.push(await heapMegabytes(page, devtools));
    const perSecond = HOUR_OF_ACTIONS / 2 / ((performance.now() - startedAtMs) / 1_000);
    report.figure({ name: 'actions a second', value: perSecond, unit: '/s' });
  }
  const [start = Number.NaN, half = Number.NaN, end = Number.NaN] = heaps;
  report.figure({ name: 'heap at first', value: start, unit: 'MB' });
  report.figure({ name: 'heap after half', value: half, unit: 'MB' });
  report.figure({ name: 'heap at the end', value: end, unit: 'MB' });
  report.figure({ name: 'growth from half to end', value: end - half, unit: 'MB', goal: { atMost: 1 } });
  await page.context().close();
}

async function actions(daemon: RunningDaemon, targetDeviceId: string, count: number): Promise<void> {
  let left = count;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      await daemon.submit({ targetDeviceId, actionType: 'Wait', parameters: { durationMs: 0 } });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function heapMegabytes(page: Page, devtools: CDPSession): Promise<number> {
  // The page first loads the changes of the last actions.
  await page.waitForTimeout(4_000);
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  return usedSize / MEGABYTE;
}

async function signedIn(browser: Browser, daemon: RunningDaemon, person: Console): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1_440, height: 900 } })).newPage();
  await page.goto(daemon.base);
  await typeCode(page, await freshCode(daemon, person));
  await page.getByText('No requests waiting').waitFor();
  return page;
}

async function freshCode(daemon: RunningDaemon, { key }: Console): Promise<string> {
  const headers = { origin: daemon.base, authorization: `Bearer ${key}` };
  const { body } = await daemon.call<{ code: string }>('/api/console/session/code', { method: 'POST', headers });
  return body.code;
}
