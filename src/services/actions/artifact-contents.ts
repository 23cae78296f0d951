import { hash } from 'node:crypto';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { type FileInside, MAX_LOOKED_BYTES } from '../../contract/files.ts';
import type { ArtifactRow } from '../../store/records/artifacts.ts';
import type { Context } from '../context.ts';

/** An artifact never changes, and an action that waits is judged again and again. */
const MOST_REMEMBERED = 32;

/** Reads the beginning of artifacts whose contents are to be written to files. Another user's artifacts are not read. */
export function createArtifactContents({ store }: Pick<Context, 'store'>) {
  const remembered = new Map<string, FileInside>();

  return (userId: string, artifactId: string): FileInside | undefined => {
    const artifact = store.artifacts.find(userId, artifactId);
    if (artifact === undefined || artifact.removedAtMs !== undefined) return undefined;
    const contents = remembered.get(artifactId) ?? readContents(store.artifactFiles.pathOf(artifactId), artifact);
    if (contents === undefined) return undefined;
    remembered.delete(artifactId);
    remembered.set(artifactId, contents);
    const [oldest] = remembered.keys();
    if (remembered.size > MOST_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
    return contents;
  };
}

/** Nothing where the file is gone or is not as it was stored. The agent compares the hash of the whole when it writes. */
function readContents(path: string, { sizeBytes, sha256 }: ArtifactRow): FileInside | undefined {
  const bytes = beginningOf(path, Math.min(sizeBytes, MAX_LOOKED_BYTES));
  const isWhole = sizeBytes <= MAX_LOOKED_BYTES;
  if (bytes === undefined || (isWhole && hash('sha256', bytes, 'hex') !== sha256)) return undefined;
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  // The last character of a beginning may be cut.
  const isText = !/[\0\ufffd]/u.test(isWhole ? text : text.slice(0, -1));
  return { text, isText, isWhole, sizeBytes };
}

function beginningOf(path: string, length: number): Buffer | undefined {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const bytes = Buffer.alloc(length);
      return bytes.subarray(0, readSync(file, bytes, 0, length, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    // The disk no longer has it: its contents are not known.
    return undefined;
  }
}
