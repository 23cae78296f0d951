import type { ArtifactService } from '../services/records/artifacts.ts';
import { isRefusal, type Refusal } from '../services/refusal.ts';

const SCHEME = 'handrail://artifacts/';

/** Where a client reads an artifact whole. */
export function artifactUri(artifactId: string): string {
  return `${SCHEME}${artifactId}`;
}

export const ARTIFACT_TEMPLATE = {
  uriTemplate: `${SCHEME}{artifactId}`,
  name: 'artifact',
  description: 'A whole picture, file or output that an action made. Kept for a day.',
};

export type ArtifactBytes = { mediaType: string; bytes: Buffer };

/** The bytes of the user's own artifact. */
export async function readArtifact(
  artifacts: ArtifactService,
  userId: string,
  artifactId: string,
): Promise<ArtifactBytes | Refusal> {
  const content = await artifacts.open(userId, artifactId);
  if (isRefusal(content)) return content;
  const pieces: Buffer[] = [];
  for await (const piece of content.bytes) pieces.push(piece);
  return { mediaType: content.mediaType, bytes: Buffer.concat(pieces) };
}

export type ReadAddress = (userId: string, uri: string) => Promise<ArtifactBytes | Refusal> | undefined;

/**
 * Reads the bytes under an address, one after the other: an artifact is held whole, so many at once would take much memory. Answers
 * `undefined` where the address is none of an artifact.
 */
export function createReadAddress(artifacts: ArtifactService): ReadAddress {
  let last: Promise<unknown> = Promise.resolve();
  return (userId, uri) => {
    if (!uri.startsWith(SCHEME)) return undefined;
    const read = last.then(() => readArtifact(artifacts, userId, uri.slice(SCHEME.length)));
    last = read.catch(() => undefined);
    return read;
  };
}
