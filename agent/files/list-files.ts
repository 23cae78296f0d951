import type { BigIntStats } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import {
  type ListedFiles,
  type ListFilesParameters,
  MAX_LISTED_BY_DEFAULT,
  type ResolvedPath,
} from '../../src/contract/files.ts';
import { secretAt } from '../../src/contract/secret-paths.ts';
import type { Attempt, Outcome } from '../drivers/outcome.ts';
import { stoppedFailure, withinDeadline } from '../drivers/stopping.ts';
import { type AnchoredFolder, identityOf, isSame, openFolder } from './anchored-folder.ts';
import { failed, fileFailure, isFailed, targetChanged } from './failures.ts';
import { judgedPath, openParent, ownPlaces } from './judged-file.ts';
import { wasHidden } from './secrets.ts';

/** On a Mac each look opens the entry. */
const LOOKS_AT_ONCE = 64;

type Entry = ListedFiles['entries'][number];
type Walk = { entries: Entry[]; limit: number; depth: number; signal: AbortSignal; own: ReadonlySet<string> };

/** Lists a judged folder; a file alone. Links are named and never followed; secret folders and Handrail's own are named and never entered. */
export async function listFiles(
  { path, depth = 1, limit = MAX_LISTED_BY_DEFAULT }: ListFilesParameters,
  attempt: Attempt,
): Promise<Outcome<ListedFiles>> {
  const judged = judgedPath(attempt, path);
  if (isFailed(judged)) return judged;
  if (judged.kind === 'missing' || judged.identity === undefined)
    return failed('invalid_target', `${judged.realPath} is not there.`);
  const walk = { entries: [], limit, depth, signal: withinDeadline(attempt), own: ownPlaces(attempt) };
  try {
    if (judged.kind === 'file') return await listFile(judged);
    const isWhole = await listFolder(walk, { ...judged, identity: judged.identity }, '');
    if (isWhole === 'changed') return targetChanged(judged.realPath);
    if (attempt.signal.aborted) return stoppedFailure(attempt.signal, 'none');
    return listed(judged.realPath, walk.entries, isWhole);
  } catch (error) {
    return fileFailure(error, judged.realPath);
  }
}

async function listFile(judged: ResolvedPath): Promise<Outcome<ListedFiles>> {
  const place = await openParent(judged);
  if (isFailed(place)) return place;
  const { folder, name } = place;
  const facts = await folder.look(name).finally(() => folder.close());
  if (!isSame(identityOf(facts), judged.identity)) return targetChanged(judged.realPath);
  return listed(judged.realPath, [entryOf(name, facts)], true);
}

type Folder = { realPath: string; identity: NonNullable<ResolvedPath['identity']> };

/** Adds the entries of one folder, and then of those in it. Answers whether nothing was left out. */
async function listFolder(walk: Walk, { realPath, identity }: Folder, prefix: string): Promise<boolean | 'changed'> {
  const folder = await openFolder(realPath, identity);
  if (folder === undefined) return prefix === '' ? 'changed' : false;
  const below = await addEntries(walk, { folder, realPath, prefix }).finally(() => folder.close());
  if (below === 'cut') return false;
  if (prefix.split('/').filter(Boolean).length + 1 >= walk.depth) return true; // guard E2-12
  let isWhole = true;
  for (const child of below) {
    const added = await listFolder(walk, child, join(prefix, basename(child.realPath))).catch(() => false);
    isWhole = isWhole && added === true; // guard E2-13
  }
  return isWhole;
}

type Opened = { folder: AnchoredFolder; realPath: string; prefix: string };

/** Adds the entries of an open folder. Answers the folders among them, or that the limit or the time cut the list. */
async function addEntries(walk: Walk, { folder, realPath, prefix }: Opened): Promise<Folder[] | 'cut'> {
  const below: Folder[] = [];
  for await (const { bytes, name, facts } of looks(folder)) {
    if (walk.entries.length >= walk.limit || walk.signal.aborted) return 'cut'; // guard F4-1
    if (facts === undefined) continue;
    if (name === undefined) {
      walk.entries.push({ ...entryOf(join(prefix, escaped(bytes)), facts), unreachable: true });
      continue;
    }
    walk.entries.push(entryOf(join(prefix, name), facts));
    const child = { realPath: join(realPath, name), identity: identityOf(facts) };
    const isClosed = walk.own.has(child.realPath) || secretAt(child.realPath) !== undefined || wasHidden(facts);
    if (facts.isDirectory() && !isClosed) below.push(child);
  }
  return below;
}

/** `name`: nothing where its bytes are no text. `facts`: nothing where the entry is gone. */
type Look = { bytes: Uint8Array; name: string | undefined; facts: BigIntStats | undefined };

/** Looks at the entries of a folder, many at a time: one after the other takes several times as long. */
async function* looks(folder: AnchoredFolder): AsyncGenerator<Look> {
  let waiting: Promise<Look>[] = [];
  // In this encoding each byte of a name is one character, so nothing of a name is lost.
  for await (const entry of await opendir(folder.path, { encoding: 'latin1', bufferSize: LOOKS_AT_ONCE })) {
    waiting.push(lookAt(folder, Buffer.from(entry.name, 'latin1')));
    if (waiting.length < LOOKS_AT_ONCE) continue;
    yield* await Promise.all(waiting);
    waiting = [];
  }
  yield* await Promise.all(waiting);
}

async function lookAt(folder: AnchoredFolder, bytes: Uint8Array): Promise<Look> {
  const name = decoded(bytes);
  const look = name === undefined ? lookAtBytes(folder, bytes) : folder.look(name);
  return { bytes, name, facts: await look.catch(() => undefined) };
}

/** What no text names is only looked at; a link in its place is not followed. */
function lookAtBytes({ path }: AnchoredFolder, name: Uint8Array): Promise<BigIntStats> {
  return lstat(Buffer.concat([Buffer.from(`${path}/`), name]), { bigint: true });
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A name as text; nothing where its bytes are no UTF-8. */
function decoded(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** A name that is no UTF-8, with `\xe9` for each byte that is no plain ASCII character. */
function escaped(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) =>
    byte > 0x1f && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`,
  ).join('');
}

type Facts = { isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean; size: bigint; mtimeMs: bigint };

function entryOf(path: string, facts: Facts): Entry {
  const kind = facts.isFile() ? 'file' : facts.isDirectory() ? 'folder' : facts.isSymbolicLink() ? 'link' : 'special';
  const modifiedAt = new Date(Number(facts.mtimeMs)).toISOString();
  return { path, kind, ...(kind === 'file' ? { sizeBytes: Number(facts.size) } : {}), modifiedAt };
}

/** An answer must fit one frame of the link. */
const MOST_BYTES = 1_800_000;

function listed(path: string, found: readonly Entry[], isWhole: boolean): Outcome<ListedFiles> {
  const sorted = found.toSorted((one, other) => (one.path < other.path ? -1 : 1));
  let bytes = 0;
  const entries = sorted.filter((entry) => {
    bytes += Buffer.byteLength(JSON.stringify(entry)) + 1;
    return bytes <= MOST_BYTES;
  });
  const complete = isWhole && entries.length === sorted.length;
  const cut = complete ? '' : ' There are more.';
  const unreachable = entries.filter((entry) => entry.unreachable === true).length;
  const named = unreachable === 0 ? '' : ` ${unreachable} of them cannot be reached, because the name is no UTF-8.`;
  const details = `Listed ${entries.length} ${entries.length === 1 ? 'entry' : 'entries'} of ${path}.${named}${cut}`;
  return { ok: true, details, effect: 'none', data: { path, entries, complete } };
}
