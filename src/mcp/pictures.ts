import type { Sharp } from 'sharp';
import type { Action, Artifact } from '../contract/action.ts';
import { lazyCheck } from '../contract/lazy-check.ts';
import { ScreenshotData } from '../contract/screen.ts';
import type { ArtifactService } from '../services/records/artifacts.ts';
import { isRefusal } from '../services/refusal.ts';
import { artifactUri, readArtifact } from './resources.ts';
import { type Beside, linkTo } from './results.ts';

/** Vendors scale larger pictures down, and clients refuse larger results. */
const PICTURE_LIMITS: PictureLimits = { longEdge: 1_568, base64Bytes: 900_000 };

/** No screen has more pixels; a larger picture is not decoded. */
const MOST_PIXELS = 100_000_000;
const QUALITIES = [85, 70, 50];
const SMALLEST_EDGE = 200;

let queue: Promise<unknown> = Promise.resolve();

const isScreenshot = lazyCheck(ScreenshotData);

/** The artifacts of an action: each picture as a model can take it, with its scale, and a link to each whole artifact. */
export async function artifactsOf(action: Action, artifacts: ArtifactService): Promise<Beside> {
  const all = await Promise.all((action.artifacts ?? []).map((artifact) => shown(action, artifact, artifacts)));
  return { lines: all.flatMap(({ lines }) => lines), blocks: all.flatMap(({ blocks }) => blocks) };
}

async function shown(action: Action, artifact: Artifact, artifacts: ArtifactService): Promise<Beside> {
  const link = linkTo(artifactUri(artifact.id), artifact);
  if (!artifact.mediaType.startsWith('image/')) return { lines: [], blocks: [link] };
  const content = await readArtifact(artifacts, action.userId, artifact.id);
  if (isRefusal(content)) return { lines: [`${content.refused}: ${content.detail}`], blocks: [] };
  try {
    const picture = await shownPicture({ ...artifact, bytes: content.bytes });
    const image = { type: 'image', data: picture.base64, mimeType: picture.mediaType } as const;
    return { lines: [scaleWords(picture, artifact, action.data)], blocks: [image, link] };
  } catch {
    return { lines: ['The picture cannot be shown here; the link has the whole one.'], blocks: [link] };
  }
}

/** How a point in the picture becomes the point that an action takes. */
function scaleWords({ width, height }: ShownPicture, whole: Artifact, data: unknown): string {
  const size = `The picture is ${width} × ${height} px`;
  const ofWhole = width === whole.width ? '' : `, scaled down from ${whole.width} × ${whole.height} px`;
  if (!isScreenshot(data)) return `${size}${ofWhole}.`;
  const { x, y } = data.bounds;
  const unit = Number((data.bounds.width / width).toFixed(4));
  return `${size}${ofWhole}. Its top left is ${x}, ${y} on the desktop, and 1 px in it is ${unit} of the desktop's units.${frameWords(width, whole)}`;
}

/** A frame counts in the pixels of the whole picture. */
function frameWords(width: number, whole: Artifact): string {
  if (width === whole.width) return '';
  return ` With its frameId, multiply x and y by ${Number((whole.width / width).toFixed(4))}.`;
}

/** A picture as a model gets it. */
type ShownPicture = { base64: string; mediaType: string; width: number; height: number };

type PictureLimits = { longEdge: number; base64Bytes: number };

type Original = { bytes: Buffer; mediaType: string; width: number; height: number };

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
