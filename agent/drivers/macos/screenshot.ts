import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bounds } from '../../../src/contract/device.ts';
import type { TakeScreenshotParameters } from '../../../src/contract/parameters.ts';
import type { Driver } from '../driver.ts';
import { noSuchWindow } from '../expected-window.ts';
import type { Failed } from '../outcome.ts';
import { encodeImage } from '../pictures/encode-image.ts';
import { createTakeScreenshot, displayUnder, namedArea, namedWindow } from '../pictures/take-screenshot.ts';
import { unlessStopped } from '../stopping.ts';
import {
  type DesktopState,
  displayUnavailable,
  type MacDisplay,
  readDesktop,
  toDisplay,
  unavailable,
} from './desktop-state.ts';
import { othersWindows, permissionMissing, screenRecording } from './permissions.ts';
import { ALLOW_OSASCRIPT, howItEnded, type RunProgram } from './run-script.ts';
import { changeIn, changeNow } from './window.ts';

type Picture = { ok: true; bytes: Uint8Array; isBlack: boolean };

type PictureSources = {
  run: RunProgram;
  /** A picture of the main display, by other means than ours. */
  portableCapture(): Promise<Uint8Array>;
};

/** The message of screencapture when macOS does not let it see, mostly because the permission is missing. */
const REFUSED = /could not create image from (display|rect)/;
/** A window, unlike a display, is mostly gone. */
const WINDOW_GONE = /could not create image from window/;

/** How dark the brightest dot of a frame made small may be for the frame to count as black; of 255. */
const BLACK_UP_TO = 3;
const PROBE_WIDTH = 240;

type CaptureTarget =
  | { kind: 'display'; number: number }
  | { kind: 'region'; bounds: Bounds }
  | { kind: 'window'; id: string };

type Captured<Result> = { ok: true; result: Result } | { ok: false; message: string };

const SCREENCAPTURE = '/usr/sbin/screencapture';
const TIMEOUT_MS = 15_000;

/** A PNG of the target, as macOS makes it: in physical pixels, without sound, shadow or pointer. */
function capture(run: RunProgram, target: CaptureTarget, signal: AbortSignal): Promise<Captured<Uint8Array>> {
  return withCapture(run, { target, signal }, (path) => readFile(path));
}

/** Hands the path of a capture to `use`. The file is in a folder of its own that only this user can read, and is removed. */
export async function withCapture<Result>(
  run: RunProgram,
  { target, signal }: { target: CaptureTarget; signal: AbortSignal },
  use: (path: string) => Promise<Result>,
): Promise<Captured<Result>> {
  const folder = await mkdtemp(join(tmpdir(), 'handrail-capture-'));
  try {
    const path = join(folder, 'capture.png');
    const args = ['-x', '-t', 'png', ...options(target), path];
    const result = await run({ program: SCREENCAPTURE, args, timeoutMs: TIMEOUT_MS, signal });
    if (result.kind !== 'exited' || result.exitCode !== 0) return { ok: false, message: howItEnded(result) };
    return { ok: true, result: await use(path) };
  } catch (error) {
    // screencapture may end well and yet have written nothing.
    if (isMissingFile(error)) return { ok: false, message: 'it wrote no picture' };
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Values are attached to their option, so that a negative coordinate cannot be taken for an option itself. */
function options(target: CaptureTarget): string[] {
  switch (target.kind) {
    case 'display':
      return [`-D${target.number}`];
    case 'region': {
      const { x, y, width, height } = target.bounds;
      return [`-R${x},${y},${width},${height}`];
    }
    case 'window':
      return ['-o', `-l${target.id}`];
  }
}

function isMissingFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** The area to capture. `display` is the display that shows most of it, if any does. */
type Shot = { target: CaptureTarget; bounds: Bounds; display: MacDisplay | undefined; what: string };

/** Finds what the parameters name on the desktop as it is now: a window, a region in desktop points, or a display. */
function shotOf(
  parameters: TakeScreenshotParameters,
  { displays, windows }: DesktopState,
): { ok: true; shot: Shot } | Failed {
  const { region, windowId } = parameters;
  const area = namedArea(parameters, displays);
  if (!area.ok) return area;
  if (windowId !== undefined) {
    const window = windows.find((one) => one.id === windowId);
    if (window === undefined) return noSuchWindow(windowId);
    const { id, bounds, app, title } = window;
    const [what, display] = [namedWindow(app, title), displayUnder(bounds, displays)];
    return { ok: true, shot: { target: { kind: 'window', id }, bounds, display, what } };
  }
  const { bounds, display, what } = area;
  if (region === undefined && display.asleep)
    return unavailable(`The display ${display.name} sleeps and shows nothing.`, 'Wake the Mac.');
  // Only the main display's number is certain (1); the others are certain by their place on the desktop.
  const target: CaptureTarget =
    region === undefined && display.primary ? { kind: 'display', number: display.number } : { kind: 'region', bounds };
  return { ok: true, shot: { target, bounds, display, what } };
}

/** Captures the shot and makes sure that it shows what was asked for: the right display, and not a black frame. */
async function takePicture(
  sources: PictureSources,
  { shot, signal }: { shot: Shot; signal: AbortSignal },
): Promise<Picture | Failed> {
  const captured = await captureShot(sources, shot, signal);
  if (!captured.ok) return notCaptured(shot, captured.message);
  const bytes = captured.result;
  const isBlack = await isBlackFrame(bytes);
  if (isBlack && !(await showsAnything(sources.run, { shot, signal }))) {
    return unavailable(
      `macOS captured ${shot.what} as entirely black: the display sleeps, is locked, or shows protected content only.`,
      'Wake and unlock the Mac, and try again.',
    );
  }
  return { ok: true, bytes, isBlack };
}

async function captureShot(
  { run, portableCapture }: PictureSources,
  shot: Shot,
  signal: AbortSignal,
): Promise<Captured<Uint8Array>> {
  const first = await capture(run, shot.target, signal);
  const { target, bounds } = shot;
  if (first.ok || target.kind !== 'display' || signal.aborted) return first;
  // Just after another capture macOS may refuse one way of asking without a reason; only the second refusal counts.
  const second = await capture(run, { kind: 'region', bounds }, signal);
  if (second.ok || REFUSED.test(second.message) || signal.aborted) return second;
  return portable(portableCapture, signal).catch(() => second);
}

/** Left alone when the attempt is stopped: it cannot be ended, only no longer waited for. */
async function portable(
  portableCapture: () => Promise<Uint8Array>,
  signal: AbortSignal,
): Promise<Captured<Uint8Array>> {
  const result = await unlessStopped(portableCapture(), signal);
  return result === 'stopped' ? { ok: false, message: 'it was stopped' } : { ok: true, result };
}

function notCaptured({ what }: Shot, message: string): Failed {
  if (WINDOW_GONE.test(message)) {
    return {
      ok: false,
      code: 'target_gone',
      message: `macOS could not capture ${what}: ${message}. It may have been closed.`,
      fix: 'Describe the screen: it names the windows that are there now.',
      sideEffect: 'none',
    };
  }
  if (REFUSED.test(message)) {
    const missing = permissionMissing('screenRecording', { stale: true });
    return { ...missing, message: `macOS refused to capture ${what} (${message}). ${missing.message}` };
  }
  return {
    ok: false,
    code: 'internal_error',
    message: `${what} could not be captured: ${message}`,
    sideEffect: 'none',
  };
}

/** Whether macOS withholds the contents of a window of another app. It then gives no picture, or an empty one. */
async function isWithheld(
  run: RunProgram,
  { windowId, signal }: { windowId: string; signal: AbortSignal },
): Promise<boolean> {
  const captured = await capture(run, { kind: 'window', id: windowId }, signal);
  return !captured.ok || (await isBlackFrame(captured.result));
}

/** A black window or region may be just that; it is when the display it is on shows something elsewhere. */
async function showsAnything(run: RunProgram, { shot, signal }: { shot: Shot; signal: AbortSignal }): Promise<boolean> {
  if (shot.display === undefined || shot.bounds === shot.display.bounds) return false;
  const target: CaptureTarget = { kind: 'region', bounds: shot.display.bounds };
  const whole = await capture(run, target, signal);
  return whole.ok && !(await isBlackFrame(whole.result));
}

/** True for a frame without content too: transparent pixels have no colour either. */
async function isBlackFrame(bytes: Uint8Array): Promise<boolean> {
  const { default: sharp } = await import('sharp');
  // Making it small first averages, so that a single bright line still shows.
  const small = sharp(bytes).resize({ width: PROBE_WIDTH, kernel: 'linear' }).flatten({ background: '#000000' });
  return (await small.raw().toBuffer()).every((value) => value <= BLACK_UP_TO);
}

type ScreenshotSources = PictureSources & {
  /** Has the app listed where the permission is granted. */
  enrol(signal: AbortSignal): Promise<void>;
  /** Processes of Handrail: macOS always shows them their own windows, so those prove no permission. */
  ownPids: ReadonlySet<number>;
};

/** Screenshots by `screencapture`, after macOS was asked whether they may be taken. */
export function createMacScreenshot(sources: ScreenshotSources): Driver['takeScreenshot'] {
  return createTakeScreenshot(async ({ parameters, expected }, signal) => {
    const state = await readDesktop(sources.run, { parts: expected === undefined ? PARTS : PARTS_WITH_APPS, signal });
    if (!state.ok) return unchecked(state.message);
    const refusal = (await refuse(sources, state.data, signal)) ?? changeIn(state.data, expected);
    if (refusal !== null) return refusal;
    const found = shotOf(parameters, state.data);
    if (!found.ok) return found;
    const { bounds, what } = found.shot;
    const picture = await takePicture(sources, { shot: found.shot, signal });
    if (!picture.ok) return picture;
    const change = await changeNow(sources.run, { expected, signal });
    if (change !== null) return change;
    const displays = state.data.displays.map(toDisplay);
    const remark = picture.isBlack ? 'It is entirely black, as protected video is too.' : undefined;
    const { default: sharp } = await import('sharp');
    const pixels = sharp(picture.bytes);
    return { ok: true, bounds, what, displays, remark, encode: (drawn) => encodeImage(pixels, parameters, { drawn }) };
  });
}

const PARTS = ['displays', 'windows', 'session', 'permissions'] as const;
const PARTS_WITH_APPS = [...PARTS, 'apps'] as const;

/** macOS hands out the bare wallpaper, or black, where it may not or cannot show more, and reports success. */
async function refuse(
  { run, ownPids, enrol }: ScreenshotSources,
  state: DesktopState,
  signal: AbortSignal,
): Promise<Failed | null> {
  const blind = displayUnavailable(state, { whenLocked: 'refuse' });
  if (blind !== null) return blind;
  const permission = screenRecording(state, ownPids);
  if (permission === 'granted') return null;
  const [window] = othersWindows(state.windows, ownPids);
  if (permission === 'doubtful' && window && !(await isWithheld(run, { windowId: window.id, signal }))) return null;
  if (permission === 'denied') await enrol(signal);
  return permissionMissing('screenRecording', { stale: permission !== 'denied' });
}

function unchecked(why: string): Failed {
  return {
    ok: false,
    code: 'internal_error',
    message: `No screenshot was taken, as it could not be checked whether macOS would show more than the wallpaper: ${why}`,
    fix: ALLOW_OSASCRIPT,
    sideEffect: 'none',
  };
}
