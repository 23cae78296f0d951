import type { CDPSession, Page } from 'playwright';
import { freshTab, type PageBench } from './page-tab.ts';
import { shortened } from './short.ts';

const MEGABYTE = 1_048_576;
const MINUTE_MS = 60_000;
/** Actions before the first look: the first ones also load scripts and fill caches. */
const WARM_UP = 500;
const WARM_UP_AT_ONCE = 8;

/** `perSecond`: the pace of the actions; without it, eight are always under way. */
export type Load = { actions: number; looks: number; perSecond?: number };

/** As many actions as in an hour of five a second, as fast as they come: it takes some minutes. */
export const FAST_HOUR: Load = { actions: shortened(18_000), looks: 2 };

/** Five actions a second for so many minutes, with four looks. */
export function realTime(minutes: number): Load {
  return { actions: minutes * 60 * 5, looks: 4, perSecond: 5 };
}

type Memory = { heapMb: number; nodes: number; listeners: number };
type Look = Memory & { afterActions: number; afterMinutes: number };
type Tab = { name: string; page: Page; devtools: CDPSession; looks: Look[] };

/** The memory of pages after a forced collection: at first, and after each part of the actions. */
export async function benchPageMemory(bench: PageBench, load: Load): Promise<void> {
  const { daemon, report } = bench;
  const pace = load.perSecond === undefined ? 'as fast as they come' : `${load.perSecond} a second`;
  report.heading(`Two pages stay open through ${load.actions} actions, ${pace}`);
  const tabs = [
    await openTab(bench, { name: 'overview', place: 'overview', ready: '.outcome-chart canvas' }),
    await openTab(bench, { name: 'activity', place: 'activity?view=actions', ready: '.activity-row' }),
  ];
  const device = await daemon.register();
  let failed = 0;
  const submit = async () => {
    try {
      await daemon.submit({ targetDeviceId: device.id, actionType: 'Wait', parameters: { durationMs: 0 } });
    } catch (error) {
      // The daemon may close an idle connection just as a call goes out on it.
      if (!(error instanceof TypeError)) throw error;
      failed += 1;
    }
  };
  await fast(submit, WARM_UP);
  const startedAtMs = performance.now();
  for (let look = 0; look <= load.looks; look += 1) {
    const part = load.actions / load.looks;
    if (look > 0) await (load.perSecond === undefined ? fast(submit, part) : paced(submit, part, load.perSecond));
    const after = { afterActions: look * part, afterMinutes: (performance.now() - startedAtMs) / MINUTE_MS };
    for (const tab of tabs) tab.looks.push({ ...(await memoryOf(tab)), ...after });
    for (const tab of tabs) printLook(bench, tab);
  }
  report.figure({
    name: 'calls that did not reach the daemon',
    value: failed,
    unit: '',
    goal: { atMost: load.actions / 100 },
  });
  for (const tab of tabs) {
    judge(bench, tab);
    await tab.page.context().close();
  }
}

async function openTab(
  bench: PageBench,
  { name, place, ready }: Record<'name' | 'place' | 'ready', string>,
): Promise<Tab> {
  const { page, devtools } = await freshTab(bench);
  await page.goto(`${bench.daemon.base}/#/${place}`);
  await page.locator(ready).first().waitFor();
  return { name, page, devtools, looks: [] };
}

/** Printed at once, so that a run of an hour shows its course. */
function printLook({ report }: PageBench, { name, looks }: Tab): void {
  const look = looks.at(-1);
  if (look === undefined) throw new Error('a look comes before its line');
  const note = `${look.nodes} nodes, ${look.listeners} listeners, after ${look.afterMinutes.toFixed(1)} min`;
  report.figure({ name: `${name}: heap after ${look.afterActions} actions`, value: look.heapMb, unit: 'MB', note });
}

function judge({ report }: PageBench, { name, looks }: Tab): void {
  const [start, half, end] = [looks[0], looks[Math.floor(looks.length / 2)], looks.at(-1)];
  if (start === undefined || half === undefined || end === undefined) throw new Error('every look is at every page');
  const heap = (from: Look) => ({ value: end.heapMb - from.heapMb, unit: 'MB' });
  report.figure({ name: `${name}: growth`, ...heap(start), goal: { atMost: 2 } });
  report.figure({ name: `${name}: growth from half to end`, ...heap(half), goal: { atMost: 1 } });
  const nodes = { value: end.nodes - half.nodes, unit: '' };
  report.figure({ name: `${name}: more DOM nodes from half to end`, ...nodes, goal: { atMost: 50 } });
}

async function fast(submit: () => Promise<void>, count: number): Promise<void> {
  let left = count;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      await submit();
    }
  };
  await Promise.all(Array.from({ length: WARM_UP_AT_ONCE }, worker));
}

/** Begins each action at its time, whether or not the one before has ended. */
async function paced(submit: () => Promise<void>, count: number, perSecond: number): Promise<void> {
  const startedAtMs = performance.now();
  const underWay: Promise<void>[] = [];
  for (let index = 0; index < count; index += 1) {
    const waitMs = startedAtMs + (index * 1_000) / perSecond - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    underWay.push(submit());
  }
  await Promise.all(underWay);
}

async function memoryOf({ page, devtools }: Tab): Promise<Memory> {
  // The page first loads the changes of the last actions.
  await page.waitForTimeout(4_000);
  // What the first collection finalizes, the second one frees.
  for (const _time of [1, 2]) await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  const { nodes, jsEventListeners } = await devtools.send('Memory.getDOMCounters');
  return { heapMb: usedSize / MEGABYTE, nodes, listeners: jsEventListeners };
}
