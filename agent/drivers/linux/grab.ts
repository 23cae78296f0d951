import type { Sharp } from 'sharp';
import { intersection } from '../../../src/contract/bounds.ts';
import type { Bounds } from '../../../src/contract/device.ts';
import { noSuchWindow } from '../expected-window.ts';
import type { Failed } from '../outcome.ts';
import type { CaptureArea } from './capture-area.ts';
import type { GuardedNut } from './nut.ts';
import type { RawPicture } from './raw-picture.ts';
import { withoutDisplay } from './without-display.ts';
import type { XWindow } from './x-window.ts';
import type { X11 } from './x11.ts';

/** Pixels, raw or as sharp read them from screenshot-desktop; `bounds` where they are of less than was wanted. */
export type Grabbed = ({ kind: 'raw'; picture: RawPicture } | { kind: 'decoded'; picture: Sharp }) & {
  bounds?: Bounds;
};

const BYTES_PER_PIXEL = 4;

/** By nut.js, the fast way, where that can be used: a few milliseconds, without a copy. */
export async function grabByNut(nut: GuardedNut, bounds: Bounds, connection: number): Promise<Grabbed | null> {
  const loaded = await nut.on(connection);
  if (loaded === null) return null;
  const { screen, Region } = loaded;
  const image = await screen.grabRegion(new Region(bounds.x, bounds.y, bounds.width, bounds.height));
  const isGapless = image.byteWidth === image.width * BYTES_PER_PIXEL;
  if (!isGapless || image.width !== bounds.width || image.height !== bounds.height) return null;
  return { kind: 'raw', picture: { width: image.width, height: image.height, bgrx: image.data } };
}

/** By screenshot-desktop, the portable way: it runs xrandr and ImageMagick, which takes some tenths of a second. */
export async function grabByPrograms(bounds: Bounds): Promise<Grabbed> {
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
export async function grabWindow(
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
