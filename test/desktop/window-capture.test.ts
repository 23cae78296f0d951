import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { createLinuxScreenshot } from '../../agent/drivers/linux/screenshot.ts';
import { createResolveWindow } from '../../agent/drivers/linux/window.ts';
import { createX11 } from '../../agent/drivers/linux/x11.ts';
import type { Done, Outcome } from '../../agent/drivers/outcome.ts';
import type { ResolvedWindow, ScreenshotData } from '../../src/contract/screen.ts';
import { unhurried } from '../agent/unhurried.ts';
import type { RigWindow } from './rig.ts';
import { shareRig } from './share-rig.ts';

const SIZE = { width: 1280, height: 800 };
/** Of the covering window; nothing else on the screen has it. */
const COVER = '#c81e5a';

const rig = await shareRig(SIZE);
const x11 = createX11(process.env);
const entries = { list: async () => [] };
const resolve = createResolveWindow({ x11, entries });
const takeScreenshot = createLinuxScreenshot({ x11, entries });

afterAll(() => x11.close());

const expecting = (window: ResolvedWindow) => unhurried({ targets: [{ kind: 'window', windowId: window.id, window }] });

function done(outcome: Outcome<ScreenshotData>): Done<ScreenshotData> {
  if (!outcome.ok) throw new Error(`${outcome.code}: ${outcome.message}`);
  return outcome;
}

function decoded(outcome: Outcome<ScreenshotData>): Promise<Buffer> {
  return sharp(done(outcome).images?.[0]?.bytes).raw().toBuffer();
}

async function told(windowId: string): Promise<ResolvedWindow> {
  const found = await resolve({ windowId }, unhurried());
  if (!found.ok) throw new Error(found.message);
  return found.data;
}

async function shownTerminal(place: string, colour: string, title: string) {
  const args = ['-geometry', place, '-bg', colour, '-fg', 'white', '-cr', colour, '-T', title, '-e', 'cat'];
  const opened = await rig.open('xterm', args);
  onTestFinished(() => opened.app.end());
  return opened;
}

/** Covers the left half of a window. */
async function cover({ id }: RigWindow): Promise<RigWindow> {
  const { x, y, width, height } = await rig.area(id);
  const { window } = await shownTerminal('20x5+700+500', COVER, 'cover');
  await rig.ask('xdotool', 'windowsize', window.id, String(Math.round(width / 2)), String(height));
  await rig.ask('xdotool', 'windowmove', window.id, String(x), String(y));
  await rig.until(
    'it is covered',
    async () => (await rig.area(window.id)).x <= x + 10 && countOf(await stillPixels(), COVER) > 10_000,
  );
  return window;
}

async function stillPixels(): Promise<Buffer> {
  let last = await rig.pixels();
  return rig.until('the screen stands still', async () => {
    const now = await rig.pixels();
    const isStill = now.equals(last);
    last = now;
    return isStill && now;
  });
}

function countOf(pixels: Buffer, colour: string): number {
  const wanted = Buffer.from(colour.slice(1), 'hex');
  let count = 0;
  for (let at = 0; at + 2 < pixels.length; at += 3)
    if (pixels[at] === wanted[0] && pixels[at + 1] === wanted[1] && pixels[at + 2] === wanted[2]) count += 1;
  return count;
}

function cut(pixels: Buffer, { x, y, width, height }: ScreenshotData['bounds']): Promise<Buffer> {
  const raw = { ...SIZE, channels: 3 } as const;
  return sharp(pixels, { raw }).extract({ left: x, top: y, width, height }).raw().toBuffer();
}

test('A11: a covered window is captured with its own pixels, pixel for pixel as it was before it was covered', async () => {
  const { window } = await shownTerminal('60x20+100+100', '#14503c', 'account');
  await rig.ask('xdotool', 'windowactivate', '--sync', window.id);
  await rig.ask('xdotool', 'type', 'my own words');
  const uncovered = await stillPixels();
  const expected = await told(window.id);
  await cover(window);
  const outcome = await takeScreenshot({ windowId: window.id }, expecting(expected));
  const pixels = await decoded(outcome);
  expect(countOf(pixels, COVER)).toBe(0);
  const inside = await rig.area(window.id);
  const { bounds } = done(outcome).data;
  const part = { left: inside.x - bounds.x, top: inside.y - bounds.y, width: inside.width, height: inside.height };
  const raw = { width: bounds.width, height: bounds.height, channels: 3 } as const;
  const own = await sharp(pixels, { raw }).extract(part).raw().toBuffer();
  const seen = await cut(uncovered, inside);
  expect(differing(own, seen)).toBeLessThan(0.002);
  expect(countOf(await stillPixels(), COVER)).toBeGreaterThan(10_000);
});

/** The share of bytes that differ: a terminal without the focus draws its cursor in another way. */
function differing(one: Buffer, other: Buffer): number {
  expect(one.length).toBe(other.length);
  return one.reduce((count, value, index) => count + (value === other[index] ? 0 : 1), 0) / one.length;
}

test('A11: an app that draws nothing leaves its covered part blank, without pixels of the covering window', async () => {
  const owner = await windowOwner('nothing', 'Silent');
  const window = (await rig.windows()).find(({ title }) => title === 'nothing');
  if (window === undefined) throw new Error('the window is shown');
  await cover(window);
  const outcome = await takeScreenshot({ windowId: owner.id }, expecting(await told(owner.id)));
  expect(countOf(await decoded(outcome), COVER)).toBe(0);
});

test('A11: a window that fills only a part of its rectangle shows nothing of the windows behind it', async () => {
  await shownTerminal('100x40+20+20', COVER, 'behind');
  const owner = await windowOwner('shaped', 'Silent', [0, 0, 40, 40]);
  await rig.ask('xdotool', 'windowmove', owner.id, '200', '150');
  await rig.until('it is there', async () => (await rig.area(owner.id)).x < 220);
  const window = await told(owner.id);
  const behind = await rig.until('the window behind shows through', async () => {
    const seen = await cut(await stillPixels(), window.bounds);
    return countOf(seen, COVER) > 10_000 && seen;
  });
  const pixels = await decoded(await takeScreenshot({ windowId: owner.id }, expecting(window)));
  expect(pixels.length).toBe(behind.length);
  expect(countOf(pixels, COVER)).toBe(0);
});

test('a window that nothing covers is captured as the screen shows it', async () => {
  const { window } = await shownTerminal('40x10+300+200', '#14503c', 'alone');
  const seen = await stillPixels();
  const outcome = await takeScreenshot({ windowId: window.id }, expecting(await told(window.id)));
  expect((await decoded(outcome)).equals(await cut(seen, done(outcome).data.bounds))).toBe(true);
});

test('the screen looks the same after a covered window was captured', async () => {
  const { window } = await shownTerminal('60x20+100+100', '#14503c', 'account');
  await cover(window);
  const before = await stillPixels();
  done(await takeScreenshot({ windowId: window.id }, unhurried()));
  expect((await stillPixels()).equals(before)).toBe(true);
});

test.each([
  ['moved', 'its place', (id: string) => rig.ask('xdotool', 'windowmove', id, '400', '300')],
  ['enlarged', 'its size', (id: string) => rig.ask('xdotool', 'windowsize', id, '900', '500')],
  [
    'given another title',
    'its title',
    (id: string) => rig.ask('xdotool', 'set_window', '--name', 'Password reset code', id),
  ],
])('A11: a window that was %s since the person was told is not captured', async (_what, change, work) => {
  const { window } = await shownTerminal('40x10+100+100', '#14503c', 'account');
  const expected = await told(window.id);
  expect((await takeScreenshot({ windowId: window.id }, expecting(expected))).ok).toBe(true);
  await work(window.id);
  const refused = await rig.until('it has changed', async () => {
    const outcome = await takeScreenshot({ windowId: window.id }, expecting(expected));
    return !outcome.ok && outcome;
  });
  expect(refused).toMatchObject({ code: 'target_changed', sideEffect: 'none' });
  expect(refused.message).toContain(change);
  expect(JSON.stringify(refused)).not.toContain('Password');
});

test('A11: a window that changes while its pixels are read is not handed out', async () => {
  const { window } = await shownTerminal('40x10+100+100', '#14503c', 'account');
  const expected = await told(window.id);
  let reads = 0;
  const racing = createLinuxScreenshot({
    entries,
    x11: {
      ...x11,
      async windowPixels(...wanted) {
        reads += 1;
        const pixels = await x11.windowPixels(...wanted);
        await rig.ask('xdotool', 'set_window', '--name', 'Password reset code', window.id);
        await rig.until('it has another title', async () => (await told(window.id)).title === 'Password reset code');
        return pixels;
      },
    },
  });
  const refused = await racing({ windowId: window.id }, expecting(expected));
  expect(refused).toMatchObject({ ok: false, code: 'target_changed', sideEffect: 'none' });
  expect(refused).not.toHaveProperty('images');
  expect(JSON.stringify(refused)).not.toContain('Password');
  expect(reads).toBe(1);
});

test('A11: an id that another window has by now leads to no picture of that one', async () => {
  const owner = await windowOwner('account statement', 'Bank');
  const expected = await told(owner.id);
  expect(expected).toMatchObject({ title: 'account statement', app: 'Bank' });
  await owner.replace('Password reset code', 'Mail');
  await rig.until('another window has the id', async () => {
    const found = await resolve({ windowId: owner.id }, unhurried());
    return found.ok && found.data.app === 'Mail';
  });
  const refused = await takeScreenshot({ windowId: owner.id }, expecting(expected));
  expect(refused).toMatchObject({
    ok: false,
    code: 'target_changed',
    message: expect.stringContaining('its app, its title'),
  });
  expect(JSON.stringify(refused)).not.toContain('Password');
});

/** A program that gives one window after another the same id. */
async function windowOwner(
  title: string,
  app: string,
  part?: [number, number, number, number],
  env: Record<string, string> = rig.env,
) {
  const child: ChildProcess = spawn(process.execPath, [fileURLToPath(new URL('./window-owner.ts', import.meta.url))], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  });
  if (child.stdout === null) throw new Error('the program has no output');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const show = async (next: { title: string; app: string; part?: [number, number, number, number] | undefined }) => {
    child.stdin?.write(`${JSON.stringify(next)}\n`);
    const { value } = await lines.next();
    return String(value);
  };
  const id = await show({ title, app, part });
  const owners = createX11({ ...process.env, ...env });
  onTestFinished(() => owners.close());
  await rig.until('the window is shown', async () => {
    const desktop = await owners.desktop();
    return desktop.ok && desktop.value.windows.some((window) => window.id === id && window.shown);
  });
  return { id, replace: (nextTitle: string, nextApp: string) => show({ title: nextTitle, app: nextApp }) };
}

test('a covered window is not captured where the X server has no Composite extension, and an uncovered one is', async () => {
  const server = await bareServer();
  const bare = createX11({ DISPLAY: server });
  onTestFinished(() => bare.close());
  const shots = createLinuxScreenshot({ x11: bare, entries });
  const env = { DISPLAY: server };
  const owner = await windowOwner('below', 'Below', undefined, env);
  const alone = await bare.desktop();
  const window = alone.ok ? alone.value.windows.find(({ title }) => title === 'below') : undefined;
  if (window === undefined) throw new Error('the window is shown');
  expect((await shots({ windowId: owner.id }, unhurried())).ok).toBe(true);
  await windowOwner('above', 'Above', undefined, env);
  expect(await shots({ windowId: owner.id }, unhurried())).toMatchObject({
    ok: false,
    code: 'not_supported',
    message: expect.stringContaining('Composite'),
    sideEffect: 'none',
  });
});

/** An X server of its own, without the Composite extension and without a window manager. */
async function bareServer(): Promise<string> {
  const args = ['-displayfd', '3', '-extension', 'Composite', '-screen', '0', '800x600x24', '-nolisten', 'tcp'];
  const child = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  onTestFinished(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  });
  const [, , , numbers] = child.stdio;
  if (!(numbers instanceof Readable)) throw new Error('the server tells no number');
  const [number] = await once(numbers, 'data');
  return `:${String(number).trim()}`;
}
