import type { Action, Artifact } from '../contract/action.ts';
import { lazyCheck } from '../contract/lazy-check.ts';
import { ScreenshotData } from '../contract/screen.ts';
import type { ArtifactService } from '../services/records/artifacts.ts';
import { isRefusal } from '../services/refusal.ts';
import { type ShownPicture, shownPicture } from './picture.ts';
import { artifactUri, readArtifact } from './resources.ts';
import { type Beside, linkTo } from './results.ts';

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
