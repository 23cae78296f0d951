import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium } from 'playwright';
import { buildPageIfNeeded } from '../../renderer/build-if-needed.ts';
import { createClient } from '../../src/client/handrail.ts';
import type { ActionSubmission } from '../../src/contract/action.ts';
import { DAEMON_FLAGS } from '../../src/launch/daemon-flags.cjs';
import { QUIET } from '../browser/chromium.ts';
import { typeCode } from '../browser/page-rig.ts';
import type { Rig } from '../desktop/rig.ts';
import { type Console, type RunningDaemon, startDaemonWith } from '../e2e/daemon.ts';
import { agentOnline } from './agent-online.ts';
import { freshCode } from './fresh-code.ts';
import { INSPECTABLE, inspectorOf, inspectorOfAgent, openInspector } from './live-memory.ts';
import type { Report } from './report.ts';
import { shortened } from './short.ts';

const REST_MS = 60_000;
/** The page is drawn by then, and asks no more. */
const LOADED_MS = 2_000;
const ROOT = pathToFileURL(`${join(import.meta.dirname, '../..')}/`).href;

type Coverage = { result: { url: string; functions: { ranges: { count: number }[] }[] }[] };
type Inspector = Awaited<ReturnType<typeof openInspector>>;
type Walk = { files: number; calls: number };

/**
 * How much of the product one thing touches: the files of which a function was called in the daemon and in its agent, and how many calls
 * there were, by V8's precise coverage. Both run from their sources. Each thing was done before, so that loading counts for none.
 */
export async function benchWalk(rig: Rig, report: Report): Promise<void> {
  report.heading('What one thing touches, in the daemon and its agent, once all is loaded');
  buildPageIfNeeded();
  const dataDirectory = mkdtempSync(join(tmpdir(), 'handrail-walk-'));
  const command = [process.execPath, ...DAEMON_FLAGS, 'src/daemon/headless.ts'];
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: QUIET });
  const daemon = await startDaemonWith({ command, environment: { ...rig.env, ...INSPECTABLE }, dataDirectory });
  const inspectors: Inspector[] = [];
  try {
    await agentOnline(daemon);
    inspectors.push(await counting(await inspectorOf(daemon)), await counting(await inspectorOfAgent(daemon)));
    const person = await daemon.signIn();
    const tell = (name: string, walk: Walk, goal: Partial<Walk>) => {
      for (const unit of ['files', 'calls'] as const) {
        const atMost = goal[unit];
        report.figure({ name: `${name}, ${unit}`, value: walk[unit], unit, ...(atMost && { goal: { atMost } }) });
      }
    };
    const load = await dashboardOf(browser, daemon, await freshCode(daemon, person));
    tell('the dashboard of an empty day', await walked(inspectors, load), { calls: 5_000 });
    await browser.close();
    tell('a minute of rest', await walked(inspectors, () => delay(shortened(REST_MS))), { calls: 3_000 });
    const acts = await actsOf({ daemon, person, rig });
    tell('a screenshot', await walked(inspectors, acts.screenshot), { files: 150 });
    tell('a click', await walked(inspectors, acts.click), { files: 200 });
  } finally {
    // A process waits for its inspector before it ends.
    for (const { close } of inspectors) close();
    await browser.close();
    await daemon.stop();
  }
}

/** Loads the dashboard of a day on which nothing happened, in a real browser. */
async function dashboardOf(browser: Browser, daemon: RunningDaemon, code: string) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(daemon.base);
  await typeCode(page, code);
  await page.getByRole('navigation').first().waitFor();
  return async () => {
    await page.reload();
    await page.getByRole('navigation').first().waitFor();
    await delay(LOADED_MS);
  };
}

async function counting(address: string): Promise<Inspector> {
  const inspector = await openInspector(address);
  await inspector.call('Profiler.enable');
  await inspector.call('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return inspector;
}

/** A screenshot and a click into a form, both unasked. */
async function actsOf({ daemon, person, rig }: { daemon: RunningDaemon; person: Console; rig: Rig }) {
  const headers = { origin: daemon.base, authorization: `Bearer ${person.key}` };
  await daemon.call('/api/console/users/ann/profile', { method: 'PUT', headers, body: { profile: 'trusted' } });
  const { id: targetDeviceId } = await daemon.register();
  const client = createClient({ userId: 'ann', baseUrl: daemon.base });
  const act = async (
    actionType: ActionSubmission['actionType'],
    parameters: ActionSubmission['parameters'],
  ): Promise<unknown> => {
    const reply = await client.act({ targetDeviceId, actionType, parameters });
    if (reply.ok && reply.value.status === 'success') return reply.value.data;
    throw new Error(`expected ${actionType} to succeed: ${JSON.stringify(reply)}`);
  };
  const { window } = await rig.open('zenity', ['--forms', '--text=Fill in', '--add-entry=Name']);
  const { x, y, width, height } = await rig.area(window.id);
  const middle = { x: x + width / 2, y: y + height / 2 };
  return { screenshot: () => act('TakeScreenshot', {}), click: () => act('Click', middle) };
}

/** What is touched by a second round of it. */
async function walked(inspectors: readonly Inspector[], work: () => Promise<unknown>): Promise<Walk> {
  await work();
  for (const { call } of inspectors) await call('Profiler.takePreciseCoverage');
  await work();
  const walks: Walk[] = [];
  for (const { call } of inspectors) walks.push(walkOf(await call<Coverage>('Profiler.takePreciseCoverage')));
  return {
    files: walks.reduce((sum, { files }) => sum + files, 0),
    calls: walks.reduce((sum, { calls }) => sum + calls, 0),
  };
}

function walkOf({ result }: Coverage): Walk {
  const calls = result
    .filter(({ url }) => url.startsWith(ROOT) && !url.includes('/node_modules/') && !url.includes('/test/'))
    .map(({ functions }) => functions.reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0));
  return { files: calls.filter((count) => count > 0).length, calls: calls.reduce((sum, count) => sum + count, 0) };
}
