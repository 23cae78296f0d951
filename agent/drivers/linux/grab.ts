import type { Sharp } from 'sharp';
import type { Bounds } from '../../../src/contract/device.ts';
import { intersection } from './capture-area.ts';
import type { GuardedNut } from './nut.ts';
import type { RawPicture } from './raw-picture.ts';

/** Pixels as they are on the screen: raw from nut.js, or as sharp read them from screenshot-desktop. */
export type Grabbed = { kind: 'raw'; picture: RawPicture } | { kind: 'decoded'; picture: Sharp };

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
