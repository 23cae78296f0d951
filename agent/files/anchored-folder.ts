import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, lstat, open, opendir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileIdentity, ResolvedPath } from '../../src/contract/files.ts';
import { isCode } from './failures.ts';

/**
 * An open folder in which files are named without walking the path to it again. A link that somebody puts on the path meanwhile
 * has no effect. Linux: `/proc/self/fd/<n>` names the open folder. macOS: `/.vol/<device>/<inode>` names a folder by its inode.
 */
export type AnchoredFolder = {
  realPath: string;
  /** The facts of each folder from the top of the disk to this one, as each was opened. */
  chain: readonly BigIntStats[];
  identity: FileIdentity;
  /** A path to an entry of this folder, for one call of `node:fs`. `name` must be a single name. */
  at(name: string): string;
  /** A path to the folder itself. */
  path: string;
  /** Opens an entry of this folder that is no link. */
  open(name: string, flags: number): Promise<FileHandle>;
  /** The facts of an entry of this folder. A link is not followed. */
  look(name: string): Promise<BigIntStats>;
  close(): Promise<void>;
  /** Makes renames in this folder durable. */
  sync(): Promise<void>;
};

/** Which file or folder some facts are about. */
export function identityOf({ dev, ino }: { dev: bigint; ino: bigint }): FileIdentity {
  return { device: String(dev), inode: String(ino) };
}

export function isSame(one: FileIdentity | undefined, other: FileIdentity | undefined): boolean {
  return one !== undefined && other !== undefined && one.device === other.device && one.inode === other.inode;
}

/** Opens the folder at a real path if it is still the one that was judged; `undefined` when it is another one. */
export async function openFolder(
  realPath: string,
  judged: FileIdentity | undefined,
): Promise<AnchoredFolder | undefined> {
  const folder = await openRealFolder(realPath);
  if (isSame(folder.identity, judged)) return folder; // guard F6-3
  await folder.close();
  return undefined;
}

/**
 * Opens each part of a real path in the one before it and follows no link. It fails with ELOOP or ENOTDIR if a part is a link, so
 * the folder that is open at the end lay at this very path.
 */
export async function openRealFolder(realPath: string): Promise<AnchoredFolder> {
  const names = realPath.split('/').filter(Boolean);
  if (Buffer.byteLength(realPath) >= MOST_PATH_BYTES) throw TOO_LONG;
  let folder = await anchored(await open('/', FOLDER), { realPath: '/', above: [] });
  for (const name of names) {
    const outer = folder;
    folder = await openWithin(outer, name).finally(() => outer.close());
  }
  return folder;
}

/**
 * Opens the folder at a real path in one step, for a walk over many folders. Nothing where a part of the path is a link now. Its chain has
 * only itself.
 */
export async function openAtOnce(realPath: string): Promise<AnchoredFolder | undefined> {
  const handle = await open(realPath, FOLDER | (IS_MAC ? NO_LINKS : constants.O_NOFOLLOW));
  const folder = await anchored(handle, { realPath, above: [] });
  if (IS_MAC || (await readlink(folder.path)) === realPath) return folder; // guard F14-1
  await folder.close();
  return undefined;
}

/** Opens a folder in an open one. */
async function openWithin(outer: AnchoredFolder, name: string): Promise<AnchoredFolder> {
  const at = { realPath: join(outer.realPath, name), above: outer.chain };
  return anchored(await outer.open(name, FOLDER), at);
}

const IS_MAC = process.platform === 'darwin';
/** Nobody else could use a longer path (PATH_MAX). */
const MOST_PATH_BYTES = IS_MAC ? 1_024 : 4_096;
const TOO_LONG = Object.assign(new Error('the path is too long'), { code: 'ENAMETOOLONG' });
/** O_SEARCH of macOS, O_PATH of Linux: to name the files in a folder needs no right to list it. */
const TO_SEARCH = IS_MAC ? 0x40_00_00_00 : 0x20_00_00;
const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | TO_SEARCH;
/** O_NOFOLLOW_ANY of macOS: no part of the path may be a link. Not every disk of a Mac has names by inode. */
const NO_LINKS = 0x20_00_00_00;
/** O_EVTONLY of macOS: only the facts of the file are asked for. */
const FACTS_ONLY = 0x80_00 | constants.O_NONBLOCK;

async function anchored(
  handle: FileHandle,
  { realPath, above }: { realPath: string; above: readonly BigIntStats[] },
): Promise<AnchoredFolder> {
  const facts = await handle.stat({ bigint: true }).catch(async (error: unknown) => {
    await handle.close();
    throw error;
  });
  const path = IS_MAC ? `/.vol/${facts.dev}/${facts.ino}` : `/proc/self/fd/${handle.fd}`;
  const at = (name: string): string => join(path, single(name));
  const openEntry = (name: string, flags: number): Promise<FileHandle> =>
    IS_MAC ? open(join(realPath, single(name)), flags | NO_LINKS) : open(at(name), flags | constants.O_NOFOLLOW); // guard F10-1
  return {
    realPath,
    chain: [...above, facts],
    identity: identityOf(facts),
    path,
    at,
    open: openEntry,
    look: (name) => (IS_MAC ? factsOnMac(name, { openEntry, at }) : lstat(at(name), { bigint: true })),
    sync: () => synced(path),
    close: () => handle.close(),
  };
}

type Entry = Pick<AnchoredFolder, 'at'> & { openEntry: AnchoredFolder['open'] };

/** A socket, a link, or a file that nobody may read, is not opened. */
async function factsOnMac(name: string, { openEntry, at }: Entry): Promise<BigIntStats> {
  const handle = await openEntry(name, FACTS_ONLY).catch((error: unknown) => {
    if (isCode(error, 'ENOENT')) throw error;
    return undefined;
  });
  if (handle === undefined) return lstat(at(name), { bigint: true });
  return handle.stat({ bigint: true }).finally(() => handle.close());
}

/** A folder that is open to be searched cannot be synced itself. */
async function synced(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  await handle.sync().finally(() => handle.close());
}

function single(name: string): string {
  if (name === '' || name === '.' || name === '..' || name.includes('/')) throw new Error(`not a name: ${name}`);
  return name;
}

type Folder = Pick<ResolvedPath, 'realPath' | 'identity'>;

type EntryBelow = {
  /** Relative to the folder. */
  name: string;
  path: string;
  isFolder: boolean;
  facts: BigIntStats;
};

/**
 * Everything in a judged folder, each folder before its entries. Links are named and not followed, and closed folders are not entered.
 * A folder that another one has replaced meanwhile fails with ELOOP.
 */
export async function* entriesBelow(
  judged: Folder,
  isClosed: (path: string) => boolean = () => false,
): AsyncGenerator<EntryBelow> {
  const open: (Folder & { name: string })[] = [{ ...judged, name: '' }];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const anchored = await openFolder(folder.realPath, folder.identity);
    if (anchored === undefined) throw Object.assign(new Error(`${folder.realPath} was replaced`), { code: 'ELOOP' });
    try {
      for await (const entry of await opendir(anchored.path)) {
        const facts = await lookedAt(anchored, entry.name);
        if (facts === undefined) continue;
        const name = join(folder.name, entry.name);
        const path = join(folder.realPath, entry.name);
        const isFolder = facts.isDirectory();
        yield { name, path, isFolder, facts };
        if (isFolder && !isClosed(path)) open.push({ realPath: path, identity: identityOf(facts), name }); // guard E2-11
      }
    } finally {
      await anchored.close();
    }
  }
}

/** Undefined for an entry that is gone again. */
async function lookedAt(folder: AnchoredFolder, name: string): Promise<BigIntStats | undefined> {
  return folder.look(name).catch((error: unknown) => {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  });
}
