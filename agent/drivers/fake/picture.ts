import type { Bounds } from '../../../src/contract/device.ts';
import type { TakeScreenshotParameters } from '../../../src/contract/parameters.ts';
import type { Image } from '../driver.ts';
import { FAKE_DISPLAY, type FakeWindow } from './desktop.ts';

export type PictureWish = Pick<TakeScreenshotParameters, 'format' | 'maxWidth' | 'quality'> & { bounds: Bounds };

/** Paints the part of the fake desktop within `bounds`, one pixel a unit or fewer. */
export async function paintDesktop(windows: readonly FakeWindow[], wish: PictureWish): Promise<Image> {
  const { default: sharp } = await import('sharp');
  const { bounds, format = 'png', maxWidth = bounds.width, quality = 80 } = wish;
  const width = Math.min(maxWidth, bounds.width);
  const picture = sharp(Buffer.from(svgOf(windows)))
    .extract({ left: bounds.x, top: bounds.y, width: bounds.width, height: bounds.height })
    .resize({ width });
  const encoded = format === 'png' ? picture.png({ compressionLevel: 1 }) : picture.toFormat(format, { quality });
  const { data, info } = await encoded.toBuffer({ resolveWithObject: true });
  return { mediaType: `image/${format}`, width: info.width, height: info.height, bytes: data };
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
