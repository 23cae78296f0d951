import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import {
  MAX_LOOKED_BYTES,
  MAX_LOOKED_CHARACTERS,
  MAX_LOOKED_NAMES,
  type ResolvedPath,
} from '../../src/contract/files.ts';
import { secretAt } from '../../src/contract/secret-paths.ts';
import { entriesBelow } from './anchored-folder.ts';
import { isFailed } from './failures.ts';
import { openJudged } from './judged-file.ts';

export type Looked = Pick<ResolvedPath, 'inside' | 'digest'>;

/**
 * Reads the beginning of a judged file, or the names in a judged folder. The digest changes whenever the contents change. A folder with
 * too many names has no digest. Links are named and not followed. Empty for other kinds, for secrets, and if the file or folder is gone
 * or cannot be read.
 */
export async function lookInto(judged: ResolvedPath): Promise<Looked> {
  if (judged.secret !== undefined) return {};
  try {
    if (judged.kind === 'file') return await lookIntoFile(judged);
    return judged.kind === 'folder' ? await lookIntoFolder(judged) : {};
  } catch (error) {
    // It is judged as unknown then.
    if (error instanceof Error && 'code' in error) return {};
    throw error;
  }
}

async function lookIntoFile(judged: ResolvedPath): Promise<Looked> {
  const handle = await openJudged(judged);
  if (isFailed(handle)) return {};
  try {
    const facts = await handle.stat({ bigint: true });
    const bytes = await beginningOf(handle);
    const isWhole = bytes.length <= MAX_LOOKED_BYTES;
    const head = isWhole ? bytes : bytes.subarray(0, MAX_LOOKED_BYTES);
    const inside = { ...textOf(head, isWhole), isWhole, sizeBytes: Math.max(Number(facts.size), bytes.length) };
    const digest = createHash('sha256').update(head);
    if (!isWhole) digest.update(stateOf(facts));
    return { inside, digest: digest.digest('hex') };
  } finally {
    await handle.close();
  }
}

/** One byte more than is looked at, which tells whether there are more. */
async function beginningOf(handle: FileHandle): Promise<Buffer> {
  const bytes = Buffer.alloc(MAX_LOOKED_BYTES + 1);
  let length = 0;
  while (length < bytes.length) {
    const { bytesRead } = await handle.read(bytes, length, bytes.length - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
}

/** The last character of a beginning may be cut, so it does not count. */
function textOf(bytes: Buffer, isWhole: boolean): { text: string; isText: boolean } {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const counted = isWhole ? text : text.slice(0, -1);
  return { text, isText: !/[\0\ufffd]/u.test(counted) };
}

/** The time of the last change cannot be set back, unlike that of the last writing. */
function stateOf({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
}

async function lookIntoFolder(judged: ResolvedPath): Promise<Looked> {
  const states = new Map<string, string>();
  let characters = 0;
  for await (const { name, isFolder, facts } of entriesBelow(judged, (each) => secretAt(each) !== undefined)) {
    characters += name.length + 1;
    if (states.size >= MAX_LOOKED_NAMES || characters > MAX_LOOKED_CHARACTERS)
      return { inside: { names: [...states.keys()].toSorted(), isWhole: false } };
    states.set(`${name}${isFolder ? '/' : ''}`, isFolder ? String(facts.ino) : stateOf(facts));
  }
  const names = [...states.keys()].toSorted();
  const digest = createHash('sha256');
  for (const name of names) digest.update(JSON.stringify([name, states.get(name)]));
  return { inside: { names, isWhole: true }, digest: digest.digest('hex') };
}
