import type { Bounds } from '../../../src/contract/device.ts';
import type { TakeScreenshotParameters } from '../../../src/contract/parameters.ts';
import type { Image } from '../outcome.ts';
import type { Overlay } from '../pictures/drawn-marks.ts';
import { encodeImage } from '../pictures/encode-image.ts';
import { FAKE_DISPLAY, type FakeWindow } from './desktop.ts';

export type PictureWish = TakeScreenshotParameters & { bounds: Bounds };

/** Paints the part of the fake desktop within `bounds`, one pixel a unit or fewer. */
export async function paintDesktop(
  windows: readonly FakeWindow[],
  { bounds, ...parameters }: PictureWish,
  overlay?: Overlay,
): Promise<Image> {
  const { default: sharp } = await import('sharp');
  const part = { left: bounds.x, top: bounds.y, width: bounds.width, height: bounds.height };
  const painted = await sharp(Buffer.from(svgOf(windows)))
    .extract(part)
    .png({ compressionLevel: 1 })
    .toBuffer();
  const drawn = overlay && ((width: number) => overlay(bounds, width / bounds.width));
  const encoded = await encodeImage(sharp(painted), parameters, { drawn });
  if (!encoded.ok) throw new Error(encoded.message);
  return encoded.image;
}

function svgOf(windows: readonly FakeWindow[]): string {
  const { width, height } = FAKE_DISPLAY.bounds;
  const panes = windows.toReversed().map(({ bounds }) => rectangle(bounds, '#f4f4f4'));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    ${rectangle(FAKE_DISPLAY.bounds, '#2a6f97')}${panes.join('')}</svg>`;
}

function rectangle({ x, y, width, height }: Bounds, colour: string): string {
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${colour}" stroke="#333"/>`;
}
