import { MAX_ATTACHMENT_BYTES } from '../../../src/contract/link.ts';
import type { TakeScreenshotParameters } from '../../../src/contract/parameters.ts';
import type { ResolvedWindow } from '../../../src/contract/screen.ts';
import type { Driver } from '../driver.ts';
import type { Failed, Image } from '../outcome.ts';
import { encodeImage, sizeWanted } from '../pictures/encode-image.ts';
import { release } from '../pictures/release.ts';
import { createTakeScreenshot } from '../pictures/take-screenshot.ts';
import { stoppedFailure, unlessStopped } from '../stopping.ts';
import { type CaptureArea, captureAreaOf } from './capture-area.ts';
import { displaysOf } from './displays.ts';
import { type Grabbed, grabByNut, grabByPrograms, grabWindow } from './grab.ts';
import { createGuardedNut, type GuardedNut } from './nut.ts';
import { encodePng } from './png-strips.ts';
import { paint, toRgb } from './raw-picture.ts';
import { type SeenWindow, seeExpected, type WindowSources } from './window.ts';
import { withoutDisplay } from './without-display.ts';
import type { XLayout } from './x-monitors.ts';
import type { X11 } from './x11.ts';

export type ScreenshotSources = {
  /** The X server that DISPLAY names in this process's own environment: nut.js knows no other. */
  x11: X11;
  /** Names the apps of windows. Without them an app goes by the name that it gives its windows. */
  entries?: WindowSources['entries'];
  nut?: GuardedNut;
  maxSizeBytes?: number;
};

type Found = { layout: XLayout & { connection: number }; area: CaptureArea; window?: SeenWindow | undefined };

const NO_ENTRIES = { list: async () => [] };

const TRUE_COLOUR_DEPTHS = [24, 32];

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
    return seen.ok ? null : seen;
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
