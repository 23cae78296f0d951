import type { Sharp } from 'sharp';
import { intersection } from '../../../src/contract/bounds.ts';
import type { Bounds } from '../../../src/contract/device.ts';
import { MAX_ATTACHMENT_BYTES } from '../../../src/contract/link.ts';
import type { TakeScreenshotParameters } from '../../../src/contract/parameters.ts';
import type { ResolvedWindow } from '../../../src/contract/screen.ts';
import type { Driver } from '../driver.ts';
import { noSuchWindow } from '../expected-window.ts';
import type { Failed, Image } from '../outcome.ts';
import { encodeImage, sizeWanted } from '../pictures/encode-image.ts';
import { createTakeScreenshot, namedArea, namedWindow, shownArea } from '../pictures/take-screenshot.ts';
import { stoppedFailure, unlessStopped } from '../stopping.ts';
import { encodePng, paint, type RawPicture, release, toRgb } from './raw-picture.ts';
import { type SeenWindow, seeExpected, type WindowSources } from './window.ts';
import type { XLayout } from './x-session.ts';
import type { XWindow } from './x-window.ts';
import { displaysOf, withoutDisplay, type X11 } from './x11.ts';

type Nut = typeof import('@nut-tree-fork/nut-js');

/**
 * Loads nut.js. Its native part keeps one connection to the X server, and the process crashes when nut.js is used without a server or
 * after that server has ended. So callers get nut.js only for the connection that it began with.
 */
type GuardedNut = {
  /**
   * `connection` is the number of the connection (`X11.layout`) over which the server has just answered. `null` when
   * nut.js cannot be loaded on this machine, or belongs to a server that is gone.
   */
  on(connection: number): Promise<Nut | null>;
};

export function createGuardedNut(load: () => Promise<Nut> = () => import('@nut-tree-fork/nut-js')): GuardedNut {
  let loading: Promise<Nut | null> | undefined;
  let boundTo: number | undefined;
  const loaded = () => {
    loading ??= load().catch(() => null);
    return loading;
  };
  return {
    async on(connection) {
      const nut = await loaded();
      boundTo ??= connection;
      return boundTo === connection ? nut : null;
    },
  };
}

type ScreenshotSources = {
  /** The X server that DISPLAY names in this process's own environment: nut.js knows no other. */
  x11: X11;
  /** Names the apps of windows. Without them an app goes by the name that it gives its windows. */
  entries?: WindowSources['entries'];
  nut?: GuardedNut;
  maxSizeBytes?: number;
};

/** The area to capture, inside the root window, and a description of it in words. */
type CaptureArea = { ok: true; bounds: Bounds; what: string };

/** Finds what the parameters name. A window is captured as far as it is on the screen. */
export function captureAreaOf(
  parameters: TakeScreenshotParameters,
  { layout, window }: { layout: XLayout; window: XWindow | undefined },
): CaptureArea | Failed {
  const area = namedArea(parameters, displaysOf(layout));
  if (!area.ok || window === undefined) return area;
  const what = namedWindow(window.className, window.title);
  const { width, height } = layout;
  const visible = intersection(window.bounds, { x: 0, y: 0, width, height });
  if (visible !== null) return { ok: true, bounds: visible, what };
  const message = `Expected something on the screen, got ${what} at ${shownArea(window.bounds)}; the screen is ${width}×${height}.`;
  return { ok: false, code: 'coordinates_off_screen', message, sideEffect: 'none' };
}

type Found = { layout: XLayout & { connection: number }; area: CaptureArea; window?: SeenWindow | undefined };

const NO_ENTRIES = { list: async () => [] };

const TRUE_COLOUR_DEPTHS = [24, 32];

/** Pixels, raw or as sharp read them from screenshot-desktop; `bounds` where they are of less than was wanted. */
type Grabbed = ({ kind: 'raw'; picture: RawPicture } | { kind: 'decoded'; picture: Sharp }) & {
  bounds?: Bounds;
};

const BYTES_PER_PIXEL = 4;

/** By nut.js, the fast way, where that can be used: a few milliseconds, without a copy. */
async function grabByNut(nut: GuardedNut, bounds: Bounds, connection: number): Promise<Grabbed | null> {
  const loaded = await nut.on(connection);
  if (loaded === null) return null;
  const { screen, Region } = loaded;
  const image = await screen.grabRegion(new Region(bounds.x, bounds.y, bounds.width, bounds.height));
  const isGapless = image.byteWidth === image.width * BYTES_PER_PIXEL;
  if (!isGapless || image.width !== bounds.width || image.height !== bounds.height) return null;
  return { kind: 'raw', picture: { width: image.width, height: image.height, bgrx: image.data } };
}

/** By screenshot-desktop, the portable way: it runs xrandr and ImageMagick, which takes some tenths of a second. */
async function grabByPrograms(bounds: Bounds): Promise<Grabbed> {
  const [{ default: screenshot }, { default: sharp }] = await Promise.all([
    import('screenshot-desktop'),
    import('sharp'),
  ]);
  const parts = await Promise.all(
    (await screenshot.listDisplays()).map(async ({ id, width, height, offsetX, offsetY }) => {
      const shared = intersection(bounds, { x: offsetX, y: offsetY, width, height });
      if (shared === null) return null;
      const whole = sharp(await screenshot({ screen: id, format: 'tiff' }))
        .toColourspace('srgb')
        .removeAlpha();
      const [left, top] = [shared.x - offsetX, shared.y - offsetY];
      const input = await whole.extract({ left, top, width: shared.width, height: shared.height }).png().toBuffer();
      return { input, left: shared.x - bounds.x, top: shared.y - bounds.y };
    }),
  );
  const { width, height } = bounds;
  const canvas = sharp({ create: { width, height, channels: 3, background: 'black' } });
  const composed = canvas.composite(parts.filter((part) => part !== null)).removeAlpha();
  return { kind: 'decoded', picture: sharp(await composed.png({ compressionLevel: 1 }).toBuffer()) };
}

/** A window's own pixels, without those of covering windows. */
async function grabWindow(
  x11: X11,
  { window, area }: { window: XWindow; area: CaptureArea },
): Promise<Grabbed | Failed> {
  const answer = await x11.windowPixels(window, area.bounds);
  if (!answer.ok) return withoutDisplay(answer.reason);
  const pixels = answer.value;
  if (!pixels.ok) return pixels.reason === 'gone' ? noSuchWindow(window.id) : notReadable(pixels.reason);
  return { kind: 'raw', picture: pixels.picture, bounds: pixels.bounds };
}

const REASONS = {
  no_composite: {
    code: 'not_supported',
    message:
      'Other windows cover the window, and the X server has no Composite extension to read its own pixels; nothing was captured.',
    fix: 'Bring the window to the front, or start the X server with the Composite extension.',
  },
  unsteady: {
    code: 'busy',
    message: 'The windows in front of the window kept moving; nothing was captured.',
    fix: 'Try again when the screen stands still.',
  },
  colours: {
    code: 'not_supported',
    message: 'The window does not have 24 or 32 bits a pixel; nothing was captured.',
    fix: 'Use a screen of 24 bits a pixel.',
  },
} as const;

function notReadable(reason: keyof typeof REASONS): Failed {
  return { ok: false, ...REASONS[reason], sideEffect: 'none' };
}

/** Screenshots of an X11 desktop in its pixels. */
export function createLinuxScreenshot({
  x11,
  entries = NO_ENTRIES,
  nut = createGuardedNut(),
  maxSizeBytes: limitBytes,
}: ScreenshotSources): Driver['takeScreenshot'] {
  /** The window must still be as it was before its pixels were read, or they may be of something else. */
  async function changeSince({ window }: Found): Promise<Failed | null> {
    if (window === undefined) return null;
    const seen = await seeExpected({ x11, entries }, window.identity.id, window.identity);
    return seen.ok ? null : seen; // guard A11-3
  }

  return createTakeScreenshot(async ({ parameters, expected }, signal) => {
    const found = await orStopped(find({ x11, entries }, parameters, expected), signal);
    if (!found.ok) return found;
    const { window, area, layout } = found;
    const grabbing = window === undefined ? grab(nut, found) : grabWindow(x11, { window: window.window, area });
    const grabbed = await orStopped(grabbing, signal);
    if ('code' in grabbed) return grabbed;
    const change = await orStopped(changeSince(found), signal);
    if (change !== null) return change;
    return {
      ok: true,
      bounds: grabbed.bounds ?? area.bounds,
      what: area.what,
      displays: displaysOf(layout),
      async encode(drawn) {
        const encoded = await encode(grabbed, parameters, { limitBytes, drawn });
        if (grabbed.kind === 'raw') release(grabbed.picture.bgrx);
        return encoded;
      },
    };
  });
}

async function orStopped<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value | Failed> {
  const result = await unlessStopped(work, signal);
  return result === 'stopped' ? stoppedFailure(signal, 'none') : result;
}

/** Asks the server first: an answer shows that there is one, and that it lets us in. */
async function find(
  sources: WindowSources,
  parameters: TakeScreenshotParameters,
  expected: ResolvedWindow | undefined,
): Promise<({ ok: true } & Found) | Failed> {
  const { windowId } = parameters;
  const [layout, seen] = await Promise.all([
    sources.x11.layout(),
    windowId === undefined ? undefined : seeExpected(sources, windowId, expected),
  ]);
  if (!layout.ok) return withoutDisplay(layout.reason);
  if (seen?.ok === false) return seen;
  const area = captureAreaOf(parameters, { layout: layout.value, window: seen?.window });
  return area.ok ? { ok: true, layout: layout.value, area, window: seen } : area;
}

async function grab(nut: GuardedNut, { layout, area: { bounds } }: Found): Promise<Grabbed | Failed> {
  try {
    const isTrueColour = TRUE_COLOUR_DEPTHS.includes(layout.depth);
    const fast = isTrueColour ? await grabByNut(nut, bounds, layout.connection).catch(() => null) : null;
    return fast ?? (await grabByPrograms(bounds));
  } catch (error) {
    return notGrabbed(error instanceof Error ? error : new Error(String(error)));
  }
}

/** Unscaled PNGs, the most frequent and the most costly, have an encoder of their own. */
async function encode(
  grabbed: Grabbed,
  parameters: TakeScreenshotParameters,
  manner: Parameters<typeof encodeImage>[2] & object,
): Promise<{ ok: true; image: Image } | Failed> {
  if (grabbed.kind === 'decoded') return encodeImage(grabbed.picture, parameters, manner);
  const { picture } = grabbed;
  const { width, height } = picture;
  const { limitBytes = MAX_ATTACHMENT_BYTES, drawn } = manner;
  const { format = 'png' } = parameters;
  const isUnscaled = sizeWanted(picture, parameters).width === width;
  if (isUnscaled && drawn !== undefined) paint(picture, drawn(width));
  if (format === 'png' && isUnscaled) {
    const bytes = await encodePng(picture);
    if (bytes.length <= limitBytes) return { ok: true, image: { mediaType: 'image/png', width, height, bytes } };
  }
  const { default: sharp } = await import('sharp');
  const rgb = toRgb(picture);
  const encoded = await encodeImage(sharp(rgb, { raw: { width, height, channels: 3 } }), parameters, {
    limitBytes,
    drawn: isUnscaled ? undefined : drawn,
  });
  release(rgb);
  return encoded;
}

function notGrabbed(error: Error): Failed {
  return {
    ok: false,
    code: 'internal_error',
    message: `The screen could not be captured: ${error.message}`,
    fix: 'Start Handrail again; where nut.js cannot be loaded, install imagemagick and x11-xserver-utils.',
    sideEffect: 'none',
  };
}
