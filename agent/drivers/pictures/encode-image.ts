import type { Sharp } from 'sharp';
import { MAX_ATTACHMENT_BYTES } from '../../../src/contract/link.ts';
import type { TakeScreenshotParameters } from '../../../src/contract/parameters.ts';
import { type PictureSize, sizeWithin } from '../../../src/contract/pictures.ts';
import type { Failed, Image } from '../outcome.ts';
import { type Drawing, svgOf } from './drawn-marks.ts';

const DEFAULT_QUALITY = 80;
/** A quarter of the work of level 6 for a screen; the next one is tried only when the result is too large to be sent. */
const PNG_LEVELS = [1, 6];

type Manner = {
  limitBytes?: number | undefined;
  /** The drawing that goes over the picture. It gets the width of the encoded picture, in pixels. */
  drawn?: ((width: number) => Drawing) | undefined;
};

/** An encoded picture in the format and size asked for; never larger than the original, of the same proportions. */
export async function encodeImage(
  picture: Sharp,
  parameters: TakeScreenshotParameters,
  { limitBytes = MAX_ATTACHMENT_BYTES, drawn }: Manner = {},
): Promise<{ ok: true; image: Image } | Failed> {
  const { format = 'png', quality = DEFAULT_QUALITY } = parameters;
  const original = await picture.metadata();
  const size = sizeWanted(original, parameters);
  const resized = size.width === original.width ? picture : picture.resize({ ...size, fit: 'fill' });
  const scaled = drawn === undefined ? resized : resized.composite([{ input: svgOf(drawn(size.width), size) }]);
  for (const compressionLevel of format === 'png' ? PNG_LEVELS : [0]) {
    // Not on a clone: that would copy the pixels.
    const encoder = format === 'png' ? scaled.png({ compressionLevel }) : scaled[format]({ quality });
    const { data, info } = await encoder.toBuffer({ resolveWithObject: true });
    const { width, height } = info;
    if (data.byteLength <= limitBytes) {
      return { ok: true, image: { mediaType: `image/${format}`, width, height, bytes: data } };
    }
  }
  return {
    ok: false,
    code: 'artifact_rejected',
    message: `The picture is larger than the ${limitBytes / 1024 / 1024} MiB that can be handed over.`,
    fix: 'Ask for jpeg or webp, or for a smaller maxWidth.',
    sideEffect: 'none',
  };
}

/** Within the limits of the request. */
export function sizeWanted(
  { width, height }: PictureSize,
  { maxWidth = width, maxEdge, maxPixels }: TakeScreenshotParameters,
): PictureSize {
  const wide = Math.min(width, maxWidth);
  const size =
    wide === width ? { width, height } : { width: wide, height: Math.max(1, Math.round((height * wide) / width)) };
  return sizeWithin(size, { maxEdge, maxPixels });
}
