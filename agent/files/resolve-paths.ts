import type { BigIntStats } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, normalize } from 'node:path';
import type { PathKind, ResolvedPath } from '../../src/contract/files.ts';
import { secretAt } from '../../src/contract/secret-paths.ts';
import type { Failed } from '../drivers/outcome.ts';
import { identityOf, openRealFolder } from './anchored-folder.ts';
import { isCode, targetChanged } from './failures.ts';
import { secretBehindLinks, secretUnderAnotherName } from './secrets.ts';

/** Where the person's files are; tests give another home. */
export type Home = { path: string };

export const personsHome = (): Home => ({ path: homedir() });

/** Follows every link on the path. A missing file resolves as its name in the folder that would hold it. */
export async function resolvePath(path: string, home: Home = personsHome()): Promise<ResolvedPath | Failed> {
  const absolute = absolutePath(path, home);
  if (absolute === undefined) return notAbsolute(path);
  for (let tried = 0; tried < MOST_TRIES; tried += 1) {
    const found = await resolvedOnce(path, absolute, home);
    if (found !== 'swapped') return found;
  }
  return targetChanged(path);
}

/** Somebody may put a link in the place of a folder again and again, while it is looked at. */
const MOST_TRIES = 50;

type Swapped = 'swapped';

async function resolvedOnce(path: string, absolute: string, home: Home): Promise<ResolvedPath | Failed | Swapped> {
  try {
    return await existing(path, absolute, home);
  } catch (error) {
    if (!isCode(error, 'ENOENT')) return unreadable(path, error);
  }
  try {
    return await missing(path, absolute);
  } catch (error) {
    return unreadable(path, error);
  }
}

async function existing(path: string, absolute: string, home: Home): Promise<ResolvedPath | Swapped> {
  const realPath = await realpath(absolute);
  const found = await opened(realPath);
  if (found === undefined || found.facts.isSymbolicLink()) return 'swapped';
  const { chain, facts } = found;
  const kind = kindOf(facts);
  const secret =
    systemPart(realPath) ??
    secretAt(realPath) ??
    (await secretBehindLinks(facts, await realHome(home))) ??
    secretUnderAnotherName([...chain, facts]);
  return {
    path,
    realPath,
    kind,
    identity: identityOf(facts),
    folder: identityOf(chain.at(-1) ?? facts),
    above: chain.map(identityOf),
    ...(kind === 'file' && {
      sizeBytes: Number(facts.size),
      changedNs: String(facts.ctimeNs), // guard F16-3
      names: Number(facts.nlink),
    }),
    secret,
  };
}

type Opened = { chain: readonly BigIntStats[]; facts: BigIntStats };

/** The facts of a real path and of each folder above it, from one walk that follows no link. Undefined if a part is another now. */
async function opened(realPath: string): Promise<Opened | undefined> {
  const folder = await unlessSwapped(openRealFolder(dirname(realPath)));
  if (folder === undefined) return undefined;
  const { chain } = folder;
  const name = basename(realPath);
  const look = name === '' ? Promise.resolve(chain.at(-1)) : unlessSwapped(folder.look(name));
  const facts = await look.finally(() => folder.close());
  return facts && { chain, facts };
}

const SWAPPED = ['ELOOP', 'ENOTDIR', 'ENOENT'];

/** A real path has no links, and each part of it was there a moment ago. */
async function unlessSwapped<T>(opening: Promise<T>): Promise<T | undefined> {
  return opening.catch((error: unknown) => {
    if (SWAPPED.some((code) => isCode(error, code))) return undefined;
    throw error;
  });
}

/** A link that leads to nothing is not a missing file: writing through it would create a file somewhere else. */
async function missing(path: string, absolute: string): Promise<ResolvedPath | Swapped> {
  const real = await realpath(dirname(absolute));
  const folder = await unlessSwapped(openRealFolder(real));
  if (folder === undefined) return 'swapped';
  const name = basename(absolute);
  const realPath = join(folder.realPath, name);
  const secret = systemPart(realPath) ?? secretAt(realPath) ?? secretUnderAnotherName(folder.chain);
  const found = {
    path,
    realPath,
    folder: folder.identity,
    above: folder.chain.map(identityOf),
    secret,
  };
  try {
    if (name === '..') return { ...found, kind: 'special' };
    return (await folder.look(name)).isSymbolicLink() ? { ...found, kind: 'special' } : 'swapped';
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error;
    return { ...found, kind: 'missing' };
  } finally {
    await folder.close();
  }
}

/** `~/` is the person's home folder. A relative path has no meaning: the agent has no folder of the requester's. */
function absolutePath(path: string, { path: home }: Home): string | undefined {
  const spelled = path === '~' || path.startsWith('~/') ? `${home}${path.slice(1)}` : path;
  return isAbsolute(spelled) && !spelled.includes('\0') ? trimmed(normalizedBelowLinks(spelled)) : undefined;
}

/**
 * The path as it is written. `..` behind a link means the folder above the link's target, so only the operating system may
 * resolve it: `normalize` would answer another folder.
 */
function normalizedBelowLinks(path: string): string {
  return path.split('/').includes('..') ? path : normalize(path);
}

function trimmed(path: string): string {
  return path.length > 1 ? path.replace(/\/+$/u, '') : path;
}

async function realHome({ path }: Home): Promise<string> {
  return realpath(path).catch(() => path);
}

function kindOf(facts: { isFile(): boolean; isDirectory(): boolean }): PathKind {
  if (facts.isFile()) return 'file';
  return facts.isDirectory() ? 'folder' : 'special';
}

const SYSTEM_PARTS = /^\/(?:proc|sys|dev)(?:\/|$)/u;

/** Files there are doors into the running system: memory, other processes' files and environment, devices. */
function systemPart(realPath: string): string | undefined {
  return SYSTEM_PARTS.test(realPath) ? 'the inside of the operating system' : undefined;
}

function notAbsolute(path: string): Failed {
  return {
    ok: false,
    code: 'invalid_target',
    message: `Expected an absolute path or one that begins with ~/, got ${JSON.stringify(path.slice(0, 200))}.`,
    fix: 'Give the whole path.',
    sideEffect: 'none',
  };
}

function unreadable(path: string, error: unknown): Failed {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  const reason = REASONS[code] ?? `The system answered ${code}.`;
  return {
    ok: false,
    code: code === 'EACCES' || code === 'EPERM' ? 'permission_missing' : 'target_gone',
    message: `${JSON.stringify(path.slice(0, 200))} ${code === 'ENOENT' ? "doesn't exist" : "can't be reached"}. ${reason}`,
    fix: code === 'EPERM' ? PRIVACY_FIX : 'Check the path.',
    sideEffect: 'none',
  };
}

const PRIVACY_FIX =
  'On a Mac the person allows it in System Settings > Privacy & Security > Files & Folders, or Full Disk Access.';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'Its folder does not exist.',
  ENOTDIR: 'A file stands where the path needs a folder.',
  ELOOP: 'Its links lead round in a circle.',
  EACCES: 'The person at the computer may not read its folder.',
  EPERM: 'The operating system protects its folder.',
  ENAMETOOLONG: 'A name on it is too long.',
};
