import type { Sharp } from 'sharp';

/** A picture as a model gets it. */
export type ShownPicture = { base64: string; mediaType: string; width: number; height: number };

export type PictureLimits = { longEdge: number; base64Bytes: number };

/** Vendors scale larger pictures down, and clients refuse larger results. */
export const PICTURE_LIMITS: PictureLimits = { longEdge: 1_568, base64Bytes: 900_000 };

/** No screen has more pixels; a larger picture is not decoded. */
const MOST_PIXELS = 100_000_000;
const QUALITIES = [85, 70, 50];
const SMALLEST_EDGE = 200;

type Original = { bytes: Buffer; mediaType: string; width: number; height: number };

let queue: Promise<unknown> = Promise.resolve();

/**
 * The picture within the limits: as it is where it fits, else smaller and as JPEG. One at a time, since each takes the memory of its
 * pixels. Rejects when the bytes are no picture.
 */
export function shownPicture(original: Original, limits: PictureLimits = PICTURE_LIMITS): Promise<ShownPicture> {
  const { bytes, mediaType, width, height } = original;
  if (Math.max(width, height) <= limits.longEdge && base64Length(bytes) <= limits.base64Bytes)
    return Promise.resolve({ base64: bytes.toString('base64'), mediaType, width, height });
  const scaled = queue.then(() => scaledDown(bytes, limits));
  queue = scaled.catch(() => undefined);
  return scaled;
}

async function scaledDown(bytes: Buffer, { longEdge, base64Bytes }: PictureLimits): Promise<ShownPicture> {
  // The library is large, and many daemons never need it.
  const { default: sharp } = await import('sharp');
  const picture = sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'error' });
  for (let edge = longEdge; edge >= SMALLEST_EDGE; edge = Math.floor(edge * 0.7)) {
    const fitting = picture.clone().resize({ width: edge, height: edge, fit: 'inside', withoutEnlargement: true });
    const found = await encoded(fitting, base64Bytes);
    if (found !== undefined) return found;
  }
  throw new Error('the picture cannot be made small enough');
}

async function encoded(picture: Sharp, base64Bytes: number): Promise<ShownPicture | undefined> {
  for (const quality of QUALITIES) {
    const { data, info } = await picture.clone().jpeg({ quality }).toBuffer({ resolveWithObject: true });
    if (base64Length(data) <= base64Bytes)
      return { base64: data.toString('base64'), mediaType: 'image/jpeg', width: info.width, height: info.height };
  }
  return undefined;
}

function base64Length({ byteLength }: Buffer): number {
  return Math.ceil(byteLength / 3) * 4;
}
