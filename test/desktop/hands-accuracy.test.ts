import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Driver } from '../../agent/drivers/driver.ts';
import { createLinuxDriver } from '../../agent/drivers/linux/driver.ts';
import { PERFORMERS } from '../../agent/performers.ts';
import type { Frame } from '../../src/contract/frames.ts';
import type { ScreenshotData } from '../../src/contract/screen.ts';
import type { ResolvedTargets } from '../../src/contract/targets.ts';
import { type Rig, startRig } from './rig.ts';

/** A window that records where it was hit, and pictures of many scales and regions of it. */
let rig: Rig;
let driver: Driver;
let hits: { x: number; y: number }[];

beforeAll(async () => {
  rig = await startRig();
  driver = createLinuxDriver({ ...process.env, ...rig.env });
  hits = [];
  const watcher = spawn(process.execPath, ['test/desktop/hit-window.ts'], {
    env: { ...process.env, ...rig.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface(watcher.stdout);
  await new Promise<void>((shown) => {
    lines.on('line', (line) => {
      const said: unknown = JSON.parse(line);
      if (said === 'shown') shown();
      else hits.push(said as { x: number; y: number });
    });
  });
  stop = () => watcher.kill('SIGKILL');
  await rig.ask('wmctrl', '-r', 'Hits', '-b', 'add,fullscreen');
  await rig.until('the window has the whole screen', async () => {
    const window = (await rig.windows()).find(({ title }) => title === 'Hits');
    return window !== undefined && (await rig.area(window.id)).width === 1_920;
  });
});

let stop = () => false;

afterAll(async () => {
  stop();
  await driver?.close();
  await rig?.close();
});

async function perform(actionType: string, parameters: unknown, targets: ResolvedTargets['targets'] = []) {
  const attempt = {
    signal: new AbortController().signal,
    deadlineMs: 20_000,
    targets: targets.filter((target) => target.kind !== 'lost'),
  };
  const outcome = await PERFORMERS.get(actionType)?.({
    parameters,
    attempt,
    driver: async () => driver,
    begin: () => undefined,
  });
  if (outcome?.ok !== true) throw new Error(JSON.stringify(outcome));
  return outcome.data;
}

const PICTURES = [
  {},
  { maxEdge: 640 },
  { maxPixels: 300_000, format: 'jpeg' },
  { region: { x: 301, y: 187, width: 777, height: 333 } },
  { region: { x: 13, y: 21, width: 1_501, height: 913 }, maxEdge: 500 },
];
const EACH = 40;

test.each(PICTURES)('40 random points of the picture %o hit the pixel that they show', async (wish) => {
  const { frame } = (await perform('TakeScreenshot', wish)) as ScreenshotData;
  if (frame?.image === undefined) throw new Error('the picture has no frame');
  for (let count = 0; count < EACH; count += 1) {
    const x = Math.floor(Math.random() * frame.image.width);
    const y = Math.floor(Math.random() * frame.image.height);
    hits.length = 0;
    const reference = { kind: 'point', frameId: frame.frameId, x, y };
    const { targets } = (await perform('ResolveTargets', { references: [reference] })) as ResolvedTargets;
    await perform('MovePointer', { frameId: frame.frameId, x, y }, targets);
    const at = await pointer();
    expect(offBy(frame, { x, y }, at), `${x},${y} led to ${at.x},${at.y}`).toBeLessThanOrEqual(1);
  }
});

test('a click on a point of a picture is one press there', async () => {
  const { frame } = (await perform('TakeScreenshot', { maxEdge: 800 })) as ScreenshotData;
  if (frame === undefined) throw new Error('the picture has no frame');
  hits.length = 0;
  const reference = { kind: 'point', frameId: frame.frameId, x: 401, y: 222 };
  const { targets } = (await perform('ResolveTargets', { references: [reference] })) as ResolvedTargets;
  await perform('Click', { frameId: frame.frameId, x: 401, y: 222 }, targets);
  await rig.until('the window was hit', () => hits.length > 0);
  expect(hits).toHaveLength(1);
  expect(offBy(frame, { x: 401, y: 222 }, hits[0] ?? { x: -1, y: -1 })).toBeLessThanOrEqual(1);
});

async function pointer() {
  const text = await rig.ask('xdotool', 'getmouselocation');
  return { x: Number(/x:(\d+)/.exec(text)?.[1]), y: Number(/y:(\d+)/.exec(text)?.[1]) };
}

/** In pixels of the picture: how far the pixel that shows the place is from the one that was meant. */
function offBy({ source, scale }: Frame, meant: { x: number; y: number }, hit: { x: number; y: number }): number {
  const [across, down] = [(hit.x + 0.5 - source.x) * scale, (hit.y + 0.5 - source.y) * scale];
  return Math.max(Math.abs(across - (meant.x + 0.5)), Math.abs(down - (meant.y + 0.5)));
}
