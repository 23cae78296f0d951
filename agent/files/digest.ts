import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

const PIECE_BYTES = 1024 * 1024;

/** SHA-256 of an open file, as 64 hexadecimal digits. */
export async function sha256Of(handle: FileHandle): Promise<string> {
  const digest = createHash('sha256');
  const { size } = await handle.stat();
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  for (let at = 0; at < size; ) {
    const { bytesRead } = await handle.read(piece, 0, piece.length, at);
    if (bytesRead === 0) break;
    digest.update(piece.subarray(0, bytesRead));
    at += bytesRead;
  }
  return digest.digest('hex');
}

/** The same of the file at a path, which must be no link. */
export async function sha256At(path: string): Promise<string> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  return sha256Of(handle).finally(() => handle.close());
}
