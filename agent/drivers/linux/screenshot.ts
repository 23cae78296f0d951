import { MAX_ATTACHMENT_BYTES } from '../../../src/contract/link.ts';
import type { TakeScreenshotParameters } from '../../../src/contract/parameters.ts';
import type { ScreenshotData } from '../../../src/contract/screen.ts';
import { createCoalesced } from '../coalesce.ts';
import type { Attempt, Failed, Image, Outcome } from '../driver.ts';
import { encodeImage } from '../encode-image.ts';
import { stoppedFailure, unlessStopped, withinDeadline } from '../stopping.ts';
import { type CaptureArea, captureAreaOf } from './capture-area.ts';
import { displaysOf } from './displays.ts';
import { type Grabbed, grabByNut, grabByPrograms } from './grab.ts';
import { createGuardedNut, type GuardedNut } from './nut.ts';
import { encodePng } from './png-strips.ts';
import { toRgb } from './raw-picture.ts';
import type { XLayout } from './x-monitors.ts';
import type { NoDisplay, X11, XWindow } from './x11.ts';

export type Screenshots = {
  takeScreenshot(parameters: TakeScreenshotParameters, attempt: Attempt): Promise<Outcome<ScreenshotData>>;
  /** Loads and warms what the first capture would otherwise wait for. Never throws, and leaves the display alone. */
  warmUp(): Promise<void>;
};

export type ScreenshotSources = {
  /** Of the display that DISPLAY names in this process's own environment: nut.js knows no other. */
  x11: X11;
  nut?: GuardedNut;
  maxSizeBytes?: number;
};

type Found = { layout: XLayout & { connection: number }; area: CaptureArea };

/** Large enough for the loops over pixels to be compiled. */
const WARM_UP_SIZE = { width: 640, height: 480 };
const TRUE_COLOUR_DEPTHS = [24, 32];

/** Screenshots of an X11 desktop in its pixels; equal ones asked for at one time share a capture. */
export function createScreenshots({ x11, nut = createGuardedNut(), maxSizeBytes }: ScreenshotSources): Screenshots {
  const coalesced = createCoalesced<Outcome<ScreenshotData>>();

  async function capture(parameters: TakeScreenshotParameters, signal: AbortSignal): Promise<Outcome<ScreenshotData>> {
    const found = await unlessStopped(find(x11, parameters), signal);
    if (found === 'stopped') return stoppedFailure(signal, 'none');
    if (!found.ok) return found;
    const grabbed = await unlessStopped(grab(nut, found), signal);
    if (grabbed === 'stopped') return stoppedFailure(signal, 'none');
    if (grabbed instanceof Error) return notGrabbed(grabbed);
    const encoded = await encode(grabbed, parameters, maxSizeBytes);
    return encoded.ok ? done(encoded.image, found) : encoded;
  }

  return {
    async takeScreenshot(parameters, attempt) {
      const signal = withinDeadline(attempt);
      const key = JSON.stringify(Object.entries(parameters).sort());
      const outcome = await coalesced({ key, signal }, (shared) => capture(parameters, shared));
      return outcome === 'stopped' ? stoppedFailure(signal, 'none') : outcome;
    },
    async warmUp() {
      await nut.load();
      const { width, height } = WARM_UP_SIZE;
      const picture = { width, height, bgrx: Buffer.alloc(width * height * 4) };
      for (const format of ['png', 'jpeg'] as const) await encode({ kind: 'raw', picture }, { format });
    },
  };
}

/** Asks the server first: an answer shows that there is one, and that it lets us in. */
async function find(x11: X11, parameters: TakeScreenshotParameters): Promise<({ ok: true } & Found) | Failed> {
  const { windowId } = parameters;
  const [layout, desktop] = await Promise.all([x11.layout(), windowId === undefined ? null : x11.desktop()]);
  if (!layout.ok) return noDisplay(layout.reason);
  if (desktop !== null && !desktop.ok) return noDisplay(desktop.reason);
  const window = desktop?.value.windows.find((one) => Number(one.id) === Number(windowId));
  if (windowId !== undefined && !window?.shown) return windowGone(windowId, window);
  const area = captureAreaOf(parameters, { layout: layout.value, window });
  return area.ok ? { ok: true, layout: layout.value, area: area.area } : area;
}

async function grab(nut: GuardedNut, { layout, area: { bounds } }: Found): Promise<Grabbed | Error> {
  try {
    const isTrueColour = TRUE_COLOUR_DEPTHS.includes(layout.depth);
    const fast = isTrueColour ? await grabByNut(nut, bounds, layout.connection).catch(() => null) : null;
    return fast ?? (await grabByPrograms(bounds));
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Unscaled PNGs, the most frequent and the most costly, have an encoder of their own. */
async function encode(
  grabbed: Grabbed,
  parameters: TakeScreenshotParameters,
  maxSizeBytes = MAX_ATTACHMENT_BYTES,
): Promise<{ ok: true; image: Image } | Failed> {
  if (grabbed.kind === 'decoded') return encodeImage(grabbed.picture, parameters, maxSizeBytes);
  const { picture } = grabbed;
  const { width, height } = picture;
  const { format = 'png', maxWidth = width } = parameters;
  if (format === 'png' && maxWidth >= width) {
    const bytes = await encodePng(picture);
    if (bytes.length <= maxSizeBytes) return { ok: true, image: { mediaType: 'image/png', width, height, bytes } };
  }
  const { default: sharp } = await import('sharp');
  return encodeImage(sharp(toRgb(picture), { raw: { width, height, channels: 3 } }), parameters, maxSizeBytes);
}

function done(image: Image, { layout, area: { bounds, what } }: Found): Outcome<ScreenshotData> {
  const { width, height, mediaType } = image;
  const format = mediaType.slice('image/'.length);
  return {
    ok: true,
    details: `Captured ${what}: ${width} × ${height} pixels, ${format}.`,
    effect: 'none',
    data: { width, height, format, scale: width / bounds.width, bounds, displays: displaysOf(layout) },
    images: [image],
  };
}

function noDisplay({ kind, message, fix }: NoDisplay): Failed {
  return {
    ok: false,
    code: kind === 'wayland' ? 'not_supported' : 'display_unavailable',
    message,
    fix,
    sideEffect: 'none',
  };
}

function windowGone(windowId: string, window: XWindow | undefined): Failed {
  const state = window === undefined ? 'which is none' : `which is not shown: "${window.title}" of ${window.className}`;
  return {
    ok: false,
    code: 'target_gone',
    message: `Expected the id of a window on the screen, got ${JSON.stringify(windowId)}, ${state}.`,
    fix: 'Ask DescribeScreen for the windows.',
    sideEffect: 'none',
  };
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
