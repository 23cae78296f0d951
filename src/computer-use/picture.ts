import type { Action } from '../contract/action.ts';
import type { ArtifactService } from '../services/records/artifacts.ts';
import { isRefusal, type Refusal } from '../services/refusal.ts';

export type Picture = { base64: string; mediaType: string };

/** No picture within the limits of a vendor has so many bytes. */
const MOST_BYTES = 16 * 1024 * 1024;

/** The picture that an action made, if it made one. */
export async function pictureIn(
  { userId, artifacts = [] }: Action,
  service: Pick<ArtifactService, 'open'>,
): Promise<Picture | undefined | Refusal> {
  const artifact = artifacts.find(({ mediaType }) => mediaType.startsWith('image/'));
  if (artifact === undefined) return undefined;
  const content = await service.open(userId, artifact.id);
  if (isRefusal(content)) return content;
  if (content.sizeBytes > MOST_BYTES) {
    content.bytes.destroy();
    return { refused: 'payload_too_large', detail: `The picture has more than ${MOST_BYTES} bytes: ${artifact.url}` };
  }
  const parts: Buffer[] = [];
  for await (const part of content.bytes) parts.push(Buffer.from(part));
  return { base64: Buffer.concat(parts).toString('base64'), mediaType: artifact.mediaType };
}
