import { hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { ReadFileParameters, ReadFileResult } from '../../src/contract/files.ts';
import type { Attempt, Outcome } from '../drivers/outcome.ts';
import { stoppedFailure } from '../drivers/stopping.ts';
import { failed, fileFailure, isFailed } from './failures.ts';
import { judgedPath, openJudged } from './judged-file.ts';

const DEFAULT_MAX_BYTES = 1024 * 1024;
/** A result must fit one frame of the link, in which a character can take six bytes. */
const MOST_TEXT_BYTES = 1_900_000;

/** Reads a judged file whole, if it is small enough. */
export async function readFile(
  { path, maxBytes = DEFAULT_MAX_BYTES, as = 'text' }: ReadFileParameters,
  attempt: Attempt,
): Promise<Outcome<ReadFileResult>> {
  const judged = judgedPath(attempt, path);
  if (isFailed(judged)) return judged;
  const { realPath } = judged;
  if (judged.kind === 'missing') return failed('target_gone', `${realPath} does not exist.`);
  if (judged.kind === 'folder') return failed('invalid_target', `${realPath} is a folder. List its files instead.`);
  try {
    const handle = await openJudged(judged);
    if (isFailed(handle)) return handle;
    const bytes = await readWhole(handle, { maxBytes, signal: attempt.signal }).finally(() => handle.close());
    if (bytes === 'stopped') return stoppedFailure(attempt.signal, 'none');
    if (bytes === 'too large') return tooLarge(realPath, maxBytes);
    return as === 'text' ? asText(realPath, bytes) : asArtifact(realPath, bytes);
  } catch (error) {
    return fileFailure(error, realPath);
  }
}

type Bounds = { maxBytes: number; signal: AbortSignal };
const PIECE_BYTES = 1024 * 1024;

/** Reads at most `maxBytes`, also where the file grows meanwhile or claims another size than it has. */
async function readWhole(handle: FileHandle, { maxBytes, signal }: Bounds): Promise<Buffer | 'too large' | 'stopped'> {
  const { size } = await handle.stat();
  if (size > maxBytes) return 'too large';
  const bytes = Buffer.allocUnsafe(Math.min(maxBytes, Math.max(size, PIECE_BYTES)) + 1);
  let length = 0;
  while (length < bytes.length) {
    if (signal.aborted) return 'stopped';
    const { bytesRead } = await handle.read(bytes, length, Math.min(PIECE_BYTES, bytes.length - length), length);
    if (bytesRead === 0) return bytes.subarray(0, length);
    length += bytesRead;
  }
  return 'too large';
}

function tooLarge(realPath: string, maxBytes: number): Outcome<never> {
  const fix = 'Give a larger maxBytes, of at most 10485760.';
  return failed('too_large', `${realPath} has more than ${maxBytes} bytes; nothing was read.`, { fix });
}

function asText(realPath: string, bytes: Buffer): Outcome<ReadFileResult> {
  const fix = 'Read it with `as: "artifact"`.';
  const text = decoded(bytes);
  if (text === undefined) return failed('not_supported', `${realPath} is no UTF-8 text.`, { fix });
  if (Buffer.byteLength(JSON.stringify(text)) > MOST_TEXT_BYTES)
    return failed('too_large', `${realPath} is too long for a text result.`, { fix });
  return { ...resultOf(realPath, bytes), data: { ...factsOf(realPath, bytes), text } };
}

function asArtifact(realPath: string, bytes: Buffer): Outcome<ReadFileResult> {
  const data = factsOf(realPath, bytes);
  const file = { mediaType: 'application/octet-stream', bytes, sha256: data.sha256 } as const;
  return { ...resultOf(realPath, bytes), data, attachments: [file] };
}

function resultOf(realPath: string, bytes: Buffer) {
  return { ok: true, details: `Read ${bytes.length} bytes from ${realPath}.`, effect: 'none' } as const;
}

function factsOf(path: string, bytes: Buffer): ReadFileResult {
  return { path, sizeBytes: bytes.length, sha256: hash('sha256', bytes, 'hex') };
}

function decoded(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\0') ? undefined : text; // guard E2-16
  } catch {
    return undefined;
  }
}
