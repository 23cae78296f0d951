import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGuardedNut, createLinuxScreenshot } from '../../agent/drivers/linux/screenshot.ts';
import { createX11 } from '../../agent/drivers/linux/x11.ts';
import type { Done, Outcome } from '../../agent/drivers/outcome.ts';
import type { ScreenshotData } from '../../src/contract/screen.ts';
import { unhurried } from '../agent/unhurried.ts';
import { showPicture } from '../bench/screenshot-picture.ts';
import type { RigArea } from './rig.ts';
import { shareRig } from './share-rig.ts';

const SIZE = { width: 1280, height: 800 };

const rig = await shareRig(SIZE);
const x11 = createX11(process.env);
const takeScreenshot = createLinuxScreenshot({ x11 });

beforeAll(() => {
  showPicture(process.env, SIZE);
});
afterAll(() => x11.close());

function done(outcome: Outcome<ScreenshotData>): Done<ScreenshotData> {
  if (!outcome.ok) throw new Error(`${outcome.code}: ${outcome.message}`);
  return outcome;
}

function bytesOf(outcome: Outcome<ScreenshotData>): Uint8Array {
  const [image] = done(outcome).images ?? [];
  if (image === undefined) throw new Error('there is no image');
  return image.bytes;
}

function decoded(outcome: Outcome<ScreenshotData>): Promise<Buffer> {
  return sharp(bytesOf(outcome)).raw().toBuffer();
}

function cut(pixels: Buffer, { x, y, width, height }: RigArea): Promise<Buffer> {
  const raw = { ...SIZE, channels: 3 } as const;
  return sharp(pixels, { raw }).extract({ left: x, top: y, width, height }).raw().toBuffer();
}

/** The screen once it has stopped changing. */
async function stillPixels(): Promise<Buffer> {
  let last = await rig.pixels();
  return rig.until('the screen stands still', async () => {
    const now = await rig.pixels();
    const isStill = now.equals(last);
    last = now;
    return isStill && now;
  });
}

const failure = { ok: false, sideEffect: 'none' };

test('a PNG is pixel for pixel what ImageMagick captures of the same screen', async () => {
  const { app } = await rig.open('xterm', ['-geometry', '40x10+200+100', '-e', 'sleep', '1000']);
  const seen = await stillPixels();
  const outcome = await takeScreenshot({}, unhurried());
  expect(done(outcome).data).toEqual({
    ...SIZE,
    format: 'png',
    scale: 1,
    bounds: { x: 0, y: 0, ...SIZE },
    displays: [{ id: 'screen', name: 'screen', primary: true, bounds: { x: 0, y: 0, ...SIZE }, scale: 1 }],
  });
  expect(done(outcome).details).toBe('Captured the display screen: 1280 × 800 pixels, png.');
  expect((await decoded(outcome)).equals(seen)).toBe(true);
  await app.end();
});

test('ImageMagick reads the PNG as it was captured', async () => {
  const file = join(String(rig.env.HOME), 'screen.png');
  // An app that ends may still be drawn over between the two pictures.
  const isSame = async () => {
    writeFileSync(file, bytesOf(await takeScreenshot({}, unhurried())));
    await rig.ask('convert', file, '-depth', '8', `rgb:${file}.rgb`);
    return readFileSync(`${file}.rgb`).equals(await rig.pixels());
  };
  await expect.poll(isSame, { timeout: 20_000 }).toBe(true);
  expect(await rig.ask('identify', '-verbose', '-format', '%m %wx%h %z-bit %[channels]', file)).toBe(
    'PNG 1280x800 8-bit srgb',
  );
});

test.each(['jpeg', 'webp'] as const)('%s shows the same, nearly', async (format) => {
  const outcome = await takeScreenshot({ format, quality: 95 }, unhurried());
  const [pixels, seen] = [await decoded(outcome), await rig.pixels()];
  expect((await sharp(bytesOf(outcome)).metadata()).format).toBe(format);
  const differences = pixels.reduce((sum, value, index) => sum + Math.abs(value - (seen[index] ?? 0)), 0);
  expect(differences / pixels.length).toBeLessThan(3);
});

test.each([
  { x: 0, y: 0, width: 1, height: 1 },
  { x: 33, y: 77, width: 501, height: 303 },
  { x: 1279, y: 799, width: 1, height: 1 },
])('a region of $width × $height at $x,$y is that part of the screen', async (region) => {
  const outcome = await takeScreenshot({ region }, unhurried());
  expect(done(outcome).data).toMatchObject({ width: region.width, height: region.height, bounds: region, scale: 1 });
  expect((await decoded(outcome)).equals(await cut(await rig.pixels(), region))).toBe(true);
});

test.each([
  ['beside the screen', { x: 1280, y: 0, width: 10, height: 10 }],
  ['left of it', { x: -20, y: 0, width: 10, height: 10 }],
  ['partly off it', { x: 1275, y: 0, width: 10, height: 10 }],
  ['around it', { x: -1, y: -1, width: 1282, height: 802 }],
])('a region %s is refused, with where the screen is', async (_where, region) => {
  const outcome = await takeScreenshot({ region }, unhurried());
  expect(outcome).toMatchObject({ ...failure, code: 'coordinates_off_screen' });
  expect(outcome.ok || outcome.message).toContain('screen is 1280×800 at 0,0');
});

test('a picture is made no wider than asked, and says its scale', async () => {
  const outcome = await takeScreenshot({ maxWidth: 320 }, unhurried());
  expect(done(outcome).data).toMatchObject({ width: 320, height: 200, scale: 0.25 });
  expect(await sharp(bytesOf(outcome)).metadata()).toMatchObject({ width: 320, height: 200, format: 'png' });
  expect(done(await takeScreenshot({ maxWidth: 5_000 }, unhurried())).data).toMatchObject({ width: 1280, scale: 1 });
});

test('a window is captured with its frame, as far as it is on the screen', async () => {
  const { app, window } = await rig.open('xterm', ['-geometry', '40x10+100+100', '-e', 'sleep', '1000']);
  const seen = await stillPixels();
  const inside = await rig.area(window.id);
  const outcome = await takeScreenshot({ windowId: window.id }, unhurried());
  const { bounds } = done(outcome).data;
  expect((await decoded(outcome)).equals(await cut(seen, bounds))).toBe(true);
  expect(bounds.y).toBeLessThan(inside.y);
  expect(bounds.width).toBeGreaterThanOrEqual(inside.width);
  await rig.ask('xdotool', 'windowmove', window.id, '1200', '700');
  await rig.until('it has moved', async () => (await rig.area(window.id)).x > 1_000);
  const partial = done(await takeScreenshot({ windowId: window.id }, unhurried())).data.bounds;
  expect([partial.x + partial.width, partial.y + partial.height]).toEqual([1280, 800]);
  await rig.ask('xdotool', 'windowminimize', window.id);
  const minimized = async () => (await takeScreenshot({ windowId: window.id }, unhurried())).ok === false;
  await rig.until('a minimized window is refused', minimized);
  await app.end();
  await rig.until('the window is gone', async () => (await rig.windows()).length === 0);
  const gone = await takeScreenshot({ windowId: window.id }, unhurried());
  expect(gone).toMatchObject({
    ...failure,
    code: 'target_gone',
    fix: 'Describe the screen: it names the windows that are there now.',
  });
});

test('a display is captured by its id, a region across displays in one piece, and no other display is made up', async () => {
  await rig.ask('xrandr', '--setmonitor', 'left', '640/169x800/211+0+0', 'screen');
  await rig.ask('xrandr', '--setmonitor', 'right', '640/169x800/211+640+0', 'none');
  const seen = await rig.pixels();
  const right = await takeScreenshot({ display: 'display-2' }, unhurried());
  const across = await takeScreenshot({ region: { x: 600, y: 10, width: 80, height: 20 } }, unhurried());
  const outside = { display: 'display-1', region: { x: 600, y: 10, width: 80, height: 20 } };
  expect((await decoded(right)).equals(await cut(seen, { x: 640, y: 0, width: 640, height: 800 }))).toBe(true);
  expect((await decoded(across)).equals(await cut(seen, { x: 600, y: 10, width: 80, height: 20 }))).toBe(true);
  expect(await takeScreenshot(outside, unhurried())).toMatchObject({ ...failure, code: 'coordinates_off_screen' });
  expect(await takeScreenshot({ display: 'HDMI-1' }, unhurried())).toEqual({
    ...failure,
    code: 'invalid_target',
    message: 'Expected the id of a display, got "HDMI-1". There are: display-1, display-2.',
  });
  await rig.ask('xrandr', '--delmonitor', 'left');
  await rig.ask('xrandr', '--delmonitor', 'right');
});

test('equal captures at one time share one picture, different ones do not', async () => {
  const equal = await Promise.all([{}, {}, {}].map((parameters) => takeScreenshot(parameters, unhurried())));
  const [first, ...others] = equal.map(bytesOf);
  for (const other of others) expect(other).toBe(first);
  const later = bytesOf(await takeScreenshot({}, unhurried()));
  expect(later).not.toBe(first);
});

test('where nut.js cannot be loaded, other programs capture the same pixels', async () => {
  const nut = createGuardedNut(() => Promise.reject(new Error('libXtst.so.6: cannot open shared object file')));
  const portable = createLinuxScreenshot({ x11, nut });
  const region = { x: 100, y: 50, width: 640, height: 480 };
  const outcome = await portable({ region }, unhurried());
  expect((await decoded(outcome)).equals(await cut(await rig.pixels(), region))).toBe(true);
});

test('a server that has stopped answering costs no more than the time an attempt has', async () => {
  const [xServer] = (await promisify(execFile)('pgrep', ['--full', `^Xvfb.*-auth ${rig.env.XAUTHORITY}`])).stdout.split(
    '\n',
  );
  process.kill(Number(xServer), 'SIGSTOP');
  const stopped = takeScreenshot({}, { signal: new AbortController().signal, deadlineMs: 200 });
  expect(await stopped).toMatchObject({ ...failure, code: 'timeout' });
  process.kill(Number(xServer), 'SIGCONT');
  expect(await takeScreenshot({}, unhurried())).toMatchObject({ ok: true });
});
