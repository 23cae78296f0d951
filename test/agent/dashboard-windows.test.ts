import sharp from 'sharp';
import { expect, test } from 'vitest';
import { createFakeDriver } from '../../agent/drivers/fake/driver.ts';
import type { Attempt } from '../../agent/drivers/outcome.ts';
import { createLooks } from '../../agent/looks/looks.ts';
import { createFrames } from '../../agent/targets/frame-memory.ts';
import type { TakeScreenshotParameters } from '../../src/contract/parameters.ts';

/** A window of the process 1000 covers most of the one of the process 1001. */
const driver = createFakeDriver();
const { takeScreenshot } = createLooks(createFrames());

function look(parameters: TakeScreenshotParameters, dashboards?: Attempt['dashboards']) {
  return takeScreenshot(driver, parameters, {
    signal: new AbortController().signal,
    deadlineMs: 5_000,
    dashboards,
  });
}

async function colours(parameters: TakeScreenshotParameters, dashboards: Attempt['dashboards']) {
  const outcome = await look(parameters, dashboards);
  if (!outcome.ok) throw new Error(outcome.message);
  const { data, info } = await sharp(outcome.images?.[0]?.bytes).raw().toBuffer({ resolveWithObject: true });
  const { bounds, scale } = outcome.data;
  return (x: number, y: number) => {
    const at = Math.round((y - bounds.y) * scale) * info.width + Math.round((x - bounds.x) * scale);
    return data.subarray(at * info.channels, at * info.channels + 3).toString('hex');
  };
}

const HIDDEN = { pids: [1_001], apps: [] };

test.each<TakeScreenshotParameters>([
  {},
  { region: { x: 100, y: 100, width: 400, height: 200 } },
  { maxWidth: 300 },
  { format: 'png', marks: true },
])('A28: a picture of the screen is black where a window of a dashboard is seen: %j', async (parameters) => {
  const before = await colours(parameters, undefined);
  const after = await colours(parameters, HIDDEN);
  for (const [x, y] of [
    [350, 150],
    [350, 230],
    [200, 230],
  ] as const)
    expect(after(x, y)).toBe('000000');
  for (const [x, y] of [
    [150, 150],
    [330, 210],
    [380, 260],
  ] as const)
    expect(after(x, y)).toBe(before(x, y));
});

test('A28: such a window is known by the name of its app where its process is not known', async () => {
  expect((await colours({}, { pids: [], apps: ['keyring'] }))(350, 150)).toBe('000000');
});

test('A28: a picture during which such a window appeared is dropped', async () => {
  const input = driver.input();
  let looks = 0;
  const { listWindows } = input;
  input.listWindows = async (attempt) => {
    looks += 1;
    const listed = await listWindows(attempt);
    return looks === 1 && listed.ok ? { ...listed, data: { windows: [] } } : listed;
  };
  expect(await look({}, HIDDEN)).toMatchObject({ ok: false, code: 'target_changed' });
  input.listWindows = listWindows;
});

test('A28: a screen whose windows cannot be listed is not captured beside a dashboard', async () => {
  const input = driver.input();
  const { listWindows } = input;
  input.listWindows = async () => ({
    ok: false,
    code: 'busy',
    message: 'No.',
    sideEffect: 'none',
    delivered: 'no',
    safeToRepeat: true,
  });
  expect(await look({}, HIDDEN)).toMatchObject({ ok: false, code: 'busy' });
  input.listWindows = listWindows;
});
