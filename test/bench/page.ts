import { freshCode } from './fresh-code.ts';
import './end-in-words.ts';
import { rmSync } from 'node:fs';
import { chromium } from 'playwright';
import { buildPageIfNeeded } from '../../renderer/build-if-needed.ts';
import { QUIET } from '../browser/chromium.ts';
import { startDaemonProcess } from '../e2e/daemon.ts';
import { benchConnections } from './connections.ts';
import { pageDatabase } from './page-database.ts';
import { benchPageMemory, FAST_HOUR, realTime } from './page-memory.ts';
import { benchFirstPaint } from './page-paint.ts';
import { benchScroll } from './page-scroll.ts';
import { scriptSizes } from './page-sizes.ts';
import type { PageBench } from './page-tab.ts';
import { partsWanted } from './parts.ts';
import { benchPrompt } from './prompt.ts';
import { readWhole } from './read-whole.ts';
import { createReport } from './report.ts';
import { shortened } from './short.ts';
import { median, quantile, timed } from './statistics.ts';

/**
 * `npm run bench:page`: how fast the dashboard is in a real Chromium, over a real daemon with 100,000 actions of 60 days. After
 * `--`, the names of some parts run only these.
 */
const ROWS = shortened(100_000);
const DAYS = 60;
const KILOBYTE = 1_024;
/** These take an hour, or are a short trial of it. */
const ONLY_BY_NAME = new Set(['hour', 'two-minutes']);

const PARTS: Readonly<Record<string, (rig: PageBench) => void | Promise<void>>> = {
  sizes: benchSizes,
  calls: benchCalls,
  paint: benchFirstPaint,
  prompt: async ({ daemon, person }) => benchPrompt(daemon, await freshCode(daemon, person), report),
  scroll: benchScroll,
  memory: (rig) => benchPageMemory(rig, FAST_HOUR),
  connections: () => benchConnections({}, report),
  hour: (rig) => benchPageMemory(rig, realTime(60)),
  'two-minutes': (rig) => benchPageMemory(rig, realTime(2)),
};

const report = createReport();
const words = process.argv.slice(2);
const wanted = partsWanted(Object.keys(PARTS), words);
if (wanted === 'help') console.log(`npm run bench:page -- [parts]: ${Object.keys(PARTS).join(', ')}`);
else await run(wanted.filter((name) => words.length > 0 || !ONLY_BY_NAME.has(name)));

async function run(chosen: readonly string[]): Promise<void> {
  buildPageIfNeeded();
  const path = pageDatabase({ rows: ROWS, days: DAYS, isCounted: true });
  const daemon = await startDaemonProcess({ HANDRAIL_AGENT_DRIVER: 'fake', HANDRAIL_RATE_LIMITS: 'off' }, path);
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: QUIET });
  try {
    const person = await daemon.signIn();
    for (const name of chosen) await PARTS[name]?.({ browser, daemon, person, report });
  } finally {
    await browser.close();
    await daemon.stop();
    rmSync(path, { recursive: true, force: true });
  }
  console.log(report.missed().length === 0 ? '\nevery goal was met' : `\nmissed: ${report.missed().join('; ')}`);
  process.exitCode = report.missed().length === 0 ? 0 : 1;
}

function benchSizes(): void {
  report.heading('Scripts of the page, gzipped');
  const { firstRoute, all } = scriptSizes();
  report.figure({ name: 'first route', value: firstRoute / KILOBYTE, unit: 'kB', goal: { atMost: 120 } });
  report.figure({ name: 'all', value: all / KILOBYTE, unit: 'kB', goal: { atMost: 220 } });
}

async function benchCalls({ daemon: { base }, person: { key } }: PageBench): Promise<void> {
  report.heading(`The calls of the page, over ${ROWS} actions of ${DAYS} days, p99 of 200 calls one after the other`);
  const headers = { authorization: `Bearer ${key}` };
  const calls: [path: string, atMostMs?: number][] = [
    ['/api/console/guardian/series?metric=action_rate&window=30d&points=121&usual=true&breakdown=true', 25],
    ['/api/console/guardian/series?metric=action_latency_p95&window=30d&points=400&usual=true', 25],
    ['/api/console/guardian/series?window=24h&points=25', 25],
    ['/api/console/guardian/outcomes?window=24h&points=49', 25],
    ['/api/guardian/dashboard?window=24h'],
    ['/api/guardian/tee/metrics?window=24h'],
    ['/api/console/activity?limit=100'],
    ['/api/console/activity?limit=500'],
    ['/api/console/activity?limit=500&status=failed'],
    ['/api/console/activity?limit=500&requester=tester&risk=high'],
  ];
  for (const [path, atMost] of calls) {
    const call = () => readWhole(`${base}${path}`, headers);
    const [firstMs = Number.NaN] = await timed({ calls: 1, warmUp: 0 }, call);
    const samples = await timed({ calls: 200, warmUp: 2 }, call);
    const note = `p50 ${median(samples).toFixed(1)}, first ${firstMs.toFixed(0)}`;
    const goal = atMost === undefined ? {} : { goal: { atMost } };
    const name = path.replace(/^\/api\/(console\/)?/, '');
    report.figure({ name, value: quantile(samples, 0.99), unit: 'ms', ...goal, note });
  }
}
