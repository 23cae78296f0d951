import type { CDPSession, Page } from 'playwright';
import { freshTab, type PageBench } from './page-tab.ts';

/** An hour of five actions a second. They come faster here, so that the hour takes some minutes. */
const HOUR_OF_ACTIONS = 18_000;
const AT_ONCE = 8;
const MEGABYTE = 1_048_576;

type Memory = { heapMb: number; nodes: number; listeners: number };

/** The memory of pages after a forced collection: at first, after half of the actions and after all of them. */
export async function benchPageMemory(bench: PageBench): Promise<void> {
  const { daemon, report } = bench;
  report.heading(`Two pages stay open through ${HOUR_OF_ACTIONS} actions, as many as an hour of 5 a second`);
  const tabs = [
    { name: 'overview', ready: '.outcome-chart canvas', ...(await freshTab(bench)) },
    { name: 'activity', ready: '.activity-row', ...(await freshTab(bench)) },
  ];
  for (const { page, name, ready } of tabs) {
    await page.goto(`${daemon.base}/#/${name}`);
    await page.locator(ready).first().waitFor();
  }
  const device = await daemon.register();
  await actions(bench, device.id, 500);
  const memories = () => Promise.all(tabs.map(({ page, devtools }) => memoryOf(page, devtools)));
  const looks = [await memories()];
  for (const _half of [1, 2]) {
    const startedAtMs = performance.now();
    await actions(bench, device.id, HOUR_OF_ACTIONS / 2);
    const perSecond = HOUR_OF_ACTIONS / 2 / ((performance.now() - startedAtMs) / 1_000);
    report.figure({ name: 'actions a second', value: perSecond, unit: '/s' });
    looks.push(await memories());
  }
  for (const [index, { name, page }] of tabs.entries()) {
    const [start, half, end] = looks.map((look) => look[index]);
    if (start === undefined || half === undefined || end === undefined) throw new Error('every look is at every page');
    report.figure({ name: `${name}: heap at first`, value: start.heapMb, unit: 'MB' });
    report.figure({ name: `${name}: heap after half`, value: half.heapMb, unit: 'MB' });
    report.figure({ name: `${name}: heap at the end`, value: end.heapMb, unit: 'MB' });
    report.figure({ name: `${name}: growth`, value: end.heapMb - start.heapMb, unit: 'MB', goal: { atMost: 2 } });
    const growth = { name: `${name}: growth from half to end`, value: end.heapMb - half.heapMb };
    report.figure({ ...growth, unit: 'MB', goal: { atMost: 1 } });
    const note = `at first ${start.nodes} nodes, ${start.listeners} listeners; at the end ${end.nodes}, ${end.listeners}`;
    report.figure({
      name: `${name}: more DOM nodes`,
      value: end.nodes - half.nodes,
      unit: '',
      goal: { atMost: 50 },
      note,
    });
    await page.context().close();
  }
}

async function actions({ daemon }: PageBench, targetDeviceId: string, count: number): Promise<void> {
  let left = count;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      await daemon.submit({ targetDeviceId, actionType: 'Wait', parameters: { durationMs: 0 } });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function memoryOf(page: Page, devtools: CDPSession): Promise<Memory> {
  // The page first loads the changes of the last actions.
  await page.waitForTimeout(4_000);
  // What the first collection finalizes, the second one frees.
  for (const _time of [1, 2]) await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  const { nodes, jsEventListeners } = await devtools.send('Memory.getDOMCounters');
  return { heapMb: usedSize / MEGABYTE, nodes, listeners: jsEventListeners };
}
