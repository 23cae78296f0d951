import type { Sharp } from 'sharp';
import { MAX_ATTACHMENT_BYTES } from '../../src/contract/link.ts';
import type { TakeScreenshotParameters } from '../../src/contract/parameters.ts';
import type { Failed, Image } from './driver.ts';

const DEFAULT_QUALITY = 80;
/** A quarter of the work of level 6 for a screen; the next one is tried only when the result is too large to be sent. */
const PNG_LEVELS = [1, 6];

/** An encoded picture in the format and at the width asked for; never wider than the original, of the same proportions. */
export async function encodeImage(
  picture: Sharp,
  { format = 'png', maxWidth, quality = DEFAULT_QUALITY }: TakeScreenshotParameters,
  limitBytes = MAX_ATTACHMENT_BYTES,
): Promise<{ ok: true; image: Image } | Failed> {
  const scaled = maxWidth === undefined ? picture : picture.resize({ width: maxWidth, withoutEnlargement: true });
  for (const compressionLevel of format === 'png' ? PNG_LEVELS : [0]) {
    const encoder = format === 'png' ? scaled.clone().png({ compressionLevel }) : scaled.clone()[format]({ quality });
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
