import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Frame } from '../../src/contract/picture-frames.ts';
import type { ScreenshotData } from '../../src/contract/screen.ts';
import type { ResolvedTargets } from '../../src/contract/targets.ts';
import { performBy } from '../agent/perform-by.ts';
import { type HitWindow, showHits } from './hits.ts';
import { shareDriver } from './share-rig.ts';

/** A window that records where it was hit, and pictures of many scales and regions of it. */
const { rig, driver } = await shareDriver();
const target = await showHits(rig, { title: 'Hits', area: { x: 0, y: 0, width: 800, height: 600 } });
afterAll(target.end);

beforeAll(async () => {
  await rig.ask('wmctrl', '-r', 'Hits', '-b', 'add,fullscreen');
  await rig.until('the window has the whole screen', async () => (await rig.area(target.id)).width === 1_920);
});

async function perform(actionType: string, parameters: unknown, found: ResolvedTargets['targets'] = []) {
  const targets = found.filter((each) => each.kind !== 'lost');
  const outcome = await performBy(driver, actionType, parameters, { targets });
  if (!outcome.ok) throw new Error(JSON.stringify(outcome));
  return outcome.data;
}

const PICTURES = [
  {},
  { maxEdge: 640 },
  { maxPixels: 300_000, format: 'jpeg' },
  { region: { x: 301, y: 187, width: 777, height: 333 } },
  { region: { x: 13, y: 21, width: 1_501, height: 913 }, maxEdge: 500 },
];
/** A picture is good for a minute, which a busy machine may need for some twenty points. */
const EACH = 4;

test.each(PICTURES)('random points of the picture %o hit the pixel that they show', async (wish) => {
  const { frame } = (await perform('TakeScreenshot', wish)) as ScreenshotData;
  if (frame?.image === undefined) throw new Error('the picture has no frame');
  await hitAll(frame, EACH);
});

test('a click on a point of a picture is one press there', async () => {
  const { frame } = (await perform('TakeScreenshot', { maxEdge: 800 })) as ScreenshotData;
  if (frame === undefined) throw new Error('the picture has no frame');
  target.hits.length = 0;
  const reference = { kind: 'point', frameId: frame.frameId, x: 401, y: 222 };
  const { targets } = (await perform('ResolveTargets', { references: [reference] })) as ResolvedTargets;
  await perform('Click', { frameId: frame.frameId, x: 401, y: 222 }, targets);
  await rig.until('the window was hit', () => target.presses().length > 0);
  expect(target.presses()).toHaveLength(1);
  expect(offBy(frame, { x: 401, y: 222 }, target.presses()[0] ?? { x: -1, y: -1 })).toBeLessThanOrEqual(ROUNDING);
});

describe('two monitors, the primary one on the right of the other', () => {
  const MONITORS = [
    { name: 'left', display: 'display-2', bounds: { x: 0, y: 0, width: 800, height: 1_080 } },
    { name: 'right', display: 'display-1', bounds: { x: 800, y: 0, width: 1_120, height: 1_080 } },
  ];
  const windows: HitWindow[] = [];

  beforeAll(async () => {
    await target.end();
    await rig.ask('xrandr', '--setmonitor', 'left', '800/211x1080/285+0+0', 'screen');
    await rig.ask('xrandr', '--setmonitor', '*right', '1120/296x1080/285+800+0', 'none');
    for (const { name, bounds } of MONITORS) {
      const window = await showHits(rig, { title: name, area: { x: bounds.x + 50, y: 50, width: 300, height: 200 } });
      windows.push(window);
      await rig.ask('wmctrl', '-i', '-r', window.id, '-b', 'add,fullscreen');
      await rig.until(`the window has the monitor ${name}`, async () => {
        const { x, width } = await rig.area(window.id);
        return x === bounds.x && width === bounds.width;
      });
    }
  });

  afterAll(async () => {
    await Promise.all(windows.map(({ end }) => end()));
    await rig.ask('xrandr', '--delmonitor', 'left');
    await rig.ask('xrandr', '--delmonitor', 'right');
  });

  test.each(MONITORS.flatMap((monitor) => [{}, { maxEdge: 480 }].map((wish) => ({ ...monitor, wish }))))(
    'random points of the picture %o hit the pixel that they show',
    async ({ display, bounds, wish }) => {
      const { frame } = (await perform('TakeScreenshot', { display, ...wish })) as ScreenshotData;
      expect(frame).toMatchObject({ displayId: display, source: bounds });
      if (frame !== undefined) await hitAll(frame, EACH);
    },
  );

  test('without a name the picture is of the primary one, whose origin is not that of the desktop', async () => {
    const { frame } = (await perform('TakeScreenshot', {})) as ScreenshotData;
    expect(frame).toMatchObject({ displayId: 'display-1', source: MONITORS[1]?.bounds });
  });

  test('random points of a region across both hit the pixel that they show', async () => {
    const region = { x: 611, y: 37, width: 523, height: 811 };
    const { frame } = (await perform('TakeScreenshot', { region, maxEdge: 700 })) as ScreenshotData;
    expect(frame).toMatchObject({ displayId: null, source: region });
    if (frame !== undefined) await hitAll(frame, 2 * EACH);
  });
});

/** None is off by more than the rounding of the scale. */
async function hitAll(frame: Frame, points: number) {
  if (frame.image === undefined) throw new Error('the picture has no frame');
  for (let count = 0; count < points; count += 1) {
    const x = Math.floor(Math.random() * frame.image.width);
    const y = Math.floor(Math.random() * frame.image.height);
    const reference = { kind: 'point', frameId: frame.frameId, x, y };
    const { targets } = (await perform('ResolveTargets', { references: [reference] })) as ResolvedTargets;
    await perform('MovePointer', { frameId: frame.frameId, x, y }, targets);
    const at = await pointer();
    expect(offBy(frame, { x, y }, at), `${x},${y} led to ${at.x},${at.y}`).toBeLessThanOrEqual(ROUNDING);
  }
}

async function pointer() {
  const text = await rig.ask('xdotool', 'getmouselocation');
  return { x: Number(/x:(\d+)/.exec(text)?.[1]), y: Number(/y:(\d+)/.exec(text)?.[1]) };
}

/** In pixels of the desktop: how far the middle of the pixel that was hit is from the middle of the one in the picture. */
function offBy({ source, image }: Frame, meant: { x: number; y: number }, hit: { x: number; y: number }): number {
  const { width, height } = image ?? source;
  const across = source.x + ((meant.x + 0.5) * source.width) / width;
  const down = source.y + ((meant.y + 0.5) * source.height) / height;
  return Math.max(Math.abs(hit.x + 0.5 - across), Math.abs(hit.y + 0.5 - down));
}

/** A pixel of the desktop is hit whole; rounding to it moves a point by half of it at most. */
const ROUNDING = 0.5;
