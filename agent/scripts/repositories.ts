import { randomBytes } from 'node:crypto';
import type { Dir, Dirent } from 'node:fs';
import { chmod, lstat, opendir, readdir, readlink, realpath, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { RenamedPlace } from '../../src/contract/scripts.ts';
import { comparablePath } from '../../src/contract/secret-paths.ts';
import { type AnchoredFolder, identityOf, openAtOnce, openFolder } from '../files/anchored-folder.ts';
import { isCode } from '../files/failures.ts';
import type { StartPlaces } from './start-places.ts';

/** Version control reads commands from files and folders with these names, and from the targets of links with these names. */
const REPOSITORIES: ReadonlySet<string> = new Set(['.git', '.hg', '.jj']); // guard X10-1

/** Whether programs of the person take an entry of this name, file, folder or link, for a repository. */
export function isRepositoryName(name: string): boolean {
  return REPOSITORIES.has(comparablePath(name));
}

/** Stands in a name for bytes that are no text. What has such a name is not found by it. */
export const UNREADABLE = '\uFFFD';

const LAYOUT: ReadonlySet<string> = new Set(['head', 'commondir', 'objects', 'refs']);

/** Whether Git takes a folder with these entries for a repository. The name of the folder does not matter. */
export function isLaidOutAsRepository(names: Iterable<string>): boolean {
  const has = new Set([...names].map(comparablePath));
  return has.has('head') && (has.has('commondir') || (has.has('objects') && has.has('refs')));
}

/** Where repositories are, by path: a `.git` of any kind, or a folder that is laid out as one. The value says which one it is. */
export type Repositories = ReadonlyMap<string, string>;

/** Tells a `.git` from another one that took its place. A link to another folder is another one. */
export async function markOf(path: string): Promise<string | undefined> {
  const facts = await lstat(path, { bigint: true }).catch(() => undefined);
  if (facts === undefined) return undefined;
  const target = facts.isSymbolicLink() ? await readlink(path).catch(() => '') : '';
  return `${facts.dev}:${facts.ino} ${target}`;
}

/**
 * `files`: single places that the script may write. `named`: places that settings of a repository name, which count as one, as `starts` do.
 * `links`: what each link of before says. `isWayOut`: whether a link with a target leads where the script may not go.
 */
type Places = {
  roots: readonly string[];
  files: readonly string[];
  before: Repositories;
  hidden: ReadonlySet<string>;
  named: ReadonlySet<string>;
  links: ReadonlyMap<string, string>;
  starts: StartPlaces;
  isWayOut: (link: string, target: string) => Promise<boolean>;
};
/** `removed`: links that led out. `left`: those that could not be removed. `respelled`: what got a name that is text. */
type Sweep = {
  renamed: RenamedPlace[];
  respelled: RenamedPlace[];
  removed: string[];
  left: string[];
  isWhole: boolean;
};

/** With more entries the time to look at each of them is too long. */
const MOST_ENTRIES = 2_000_000;

/**
 * Gives each repository, and each other place that starts commands, another name if it was not there before, so that no program of the
 * person runs commands from it. Removes each new link that leads out, so that no program follows it. To be called when all processes of the
 * script have ended. Not whole: there were too many entries.
 */
export async function clearNewPlaces(places: Places): Promise<Sweep> {
  const { roots, files, before, hidden } = places;
  const sweep: Sweep = { renamed: [], respelled: [], removed: [], left: [], isWhole: true };
  const writable = [...roots, ...files];
  const removeLinks = async (links: readonly string[]) => {
    for (const path of links) sweep[(await removedWithin(path, writable)) ? 'removed' : 'left'].push(path);
  };
  for (const path of files) if (await isNewWayOut(path, places)) await removeLinks([path]);
  const open = [...roots];
  let looked = 0;
  for (let folder = open.pop(); folder !== undefined && sweep.isWhole; folder = open.pop()) {
    const found = await lookAt(folder, places);
    looked += found.entries;
    sweep.respelled.push(...found.respelled);
    await removeLinks(found.waysOut);
    for (const path of found.repositories) sweep.renamed.push({ from: path, ...(await renamedWithin(path, writable)) });
    for (const path of found.folders) if (!before.has(path) && !hidden.has(path)) open.push(path);
    sweep.isWhole = looked <= MOST_ENTRIES;
  }
  sweep.renamed.sort((one, other) => (one.from < other.from ? -1 : 1));
  sweep.removed.sort();
  return sweep;
}

type Found = {
  folders: string[];
  repositories: string[];
  waysOut: string[];
  respelled: RenamedPlace[];
  entries: number;
};
const nothing = (): Found => ({ folders: [], repositories: [], waysOut: [], respelled: [], entries: 0 });

/** The folders in a folder, and the entries that make repositories or lead out and were not there before. */
async function lookAt(folder: string, places: Places): Promise<Found> {
  const opened = await openAtOnce(folder).catch(unlessGone);
  if (opened === undefined) return nothing();
  return lookInto(opened, places).finally(() => opened.close());
}

/** The script may have removed it, and another script may have put a link there. */
function unlessGone(error: unknown): undefined {
  if (!['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'EACCES'].some((code) => isCode(error, code))) throw error;
}

async function lookInto(opened: AnchoredFolder, places: Places): Promise<Found> {
  const { realPath: folder } = opened;
  const found = nothing();
  const layout: string[] = [];
  let isReadable = true;
  for await (const entry of await entriesOf(opened)) {
    found.entries += 1;
    if (found.entries > MOST_ENTRIES) break;
    await sort(found, { entry, path: join(folder, entry.name) }, places);
    if (LAYOUT.has(comparablePath(entry.name))) layout.push(entry.name);
    isReadable &&= !entry.name.includes(UNREADABLE);
  }
  const respelled = isReadable ? [] : await namedReadably(opened, places); // guard F15-3
  if (respelled.some(({ to }) => to !== undefined)) {
    const again = await lookInto(opened, places);
    return { ...again, respelled: [...respelled, ...again.respelled] };
  }
  if (!places.before.has(folder) && isLaidOutAsRepository(layout))
    found.repositories.push(
      ...layout.filter((name) => comparablePath(name) === 'head').map((name) => join(folder, name)),
    );
  return { ...found, respelled };
}

type Entry = { entry: Dirent; path: string };

/** A link that leads out is removed under whatever name. */
async function sort(found: Found, { entry, path }: Entry, places: Places): Promise<void> {
  if (entry.isSymbolicLink() && (await isNewWayOut(path, places))) found.waysOut.push(path);
  else if (startsCommands(path, places) && (await isNew(path, places.before))) found.repositories.push(path);
  else if (entry.isSymbolicLink()) found.repositories.push(...(await newBehind(path, places)));
  else if (entry.isDirectory()) found.folders.push(path);
}

async function isNewWayOut(link: string, { links, isWayOut }: Places): Promise<boolean> {
  const target = await readlink(link).catch(() => undefined);
  return target !== undefined && links.get(link) !== target && (await isWayOut(link, target));
}

function startsCommands(path: string, { hidden, named, starts }: Places): boolean {
  return !hidden.has(path) && (isRepositoryName(basename(path)) || named.has(path) || starts.isOne(path)); // guard X22-1
}

async function isNew(path: string, before: ReadonlyMap<string, string>): Promise<boolean> {
  return before.get(path) !== (await markOf(path));
}

/** A link that is new itself, or the new places to which an old one leads. */
async function newBehind(link: string, { before, links, starts }: Places): Promise<string[]> {
  const fresh: string[] = [];
  for (const path of await starts.behindLink(link)) if (await isNew(path, before)) fresh.push(path);
  return fresh.length > 0 && links.get(link) !== (await readlink(link)) ? [link] : fresh;
}

/** The entries of a folder. One that its owner may not list is opened first: a script can lock a folder that the person can still use. */
async function entriesOf({ path, chain }: AnchoredFolder): Promise<Dir | readonly Dirent[]> {
  try {
    // Without this right the names can be listed, but nothing under them can be looked at.
    if (((chain.at(-1)?.mode ?? 0n) & 0o100n) === 0n) await unlock(path);
    return await opendir(path, { bufferSize: 256 });
  } catch (error) {
    unlessGone(error);
    return isCode(error, 'EACCES') && (await unlock(path)) ? opendir(path, { bufferSize: 256 }) : [];
  }
}

/** Gives the owner all rights to an open folder. False if it belongs to another user, because no script can have made it then. */
async function unlock(folder: string): Promise<boolean> {
  // The path of an open folder is a link on Linux. `stat` needs no right to the folder itself.
  const facts = await stat(folder);
  if (facts.uid !== process.geteuid?.()) return false;
  await chmod(folder, (facts.mode & 0o777) | 0o700);
  return true;
}

const NEW_NAME = '.made-by-script';

/** Renames an entry. Without a new name it keeps its own, and the result says so. */
async function renamedWithin(path: string, writable: readonly string[]): Promise<{ to?: string }> {
  const name = basename(path);
  const to = await within(path, writable, async (folder) => {
    const free = await freeName(folder, `${name}${NEW_NAME}`);
    await withRights(folder, () => rename(folder.at(name), folder.at(free))); // guard X11-1
    return join(dirname(path), free);
  });
  return to === undefined ? {} : { to };
}

/** Removes a link. False if it is still there. */
async function removedWithin(path: string, writable: readonly string[]): Promise<boolean> {
  const name = basename(path);
  const isGone = await within(path, writable, async (folder) => {
    if ((await folder.look(name)).isSymbolicLink()) await withRights(folder, () => unlink(folder.at(name)));
    return true;
  });
  return isGone ?? false;
}

/** Does something in the folder of an entry, if that is still writable for the script: another script may have put a link on the way. */
async function within<T>(
  path: string,
  writable: readonly string[],
  work: (folder: AnchoredFolder) => Promise<T>,
): Promise<T | undefined> {
  try {
    const facts = await lstat(dirname(path), { bigint: true });
    const folder = facts.isDirectory() ? await openFolder(dirname(path), identityOf(facts)) : undefined;
    if (folder === undefined) return undefined;
    const isStillThere = async () => {
      const real = join(await realpath(IS_MAC ? dirname(path) : folder.path), basename(path));
      return writable.some((root) => `${real}/`.startsWith(`${root}/`));
    };
    const done = isStillThere().then((isThere) => (isThere ? work(folder) : undefined));
    return await done.finally(() => folder.close());
  } catch {
    return undefined;
  }
}

const IS_MAC = process.platform === 'darwin';

/** A script can lock a folder that the person can still use. */
async function withRights<T>(folder: AnchoredFolder, change: () => Promise<T>): Promise<T> {
  return change().catch(async (error: unknown) => {
    if (!isCode(error, 'EACCES') || !(await unlock(folder.path))) throw error;
    return change();
  });
}

/** A name that is no text can be clicked, but not looked at: each new link and folder with such a name gets a name that is text. */
async function namedReadably(folder: AnchoredFolder, { links }: Places): Promise<RenamedPlace[]> {
  const respelled: RenamedPlace[] = [];
  for (const entry of await readdir(folder.path, { encoding: 'buffer', withFileTypes: true })) {
    const text = entry.name.toString();
    const from = join(folder.realPath, text);
    const isMatter = entry.isSymbolicLink() || entry.isDirectory();
    if (!isMatter || Buffer.from(text).equals(entry.name) || links.has(from)) continue;
    const free = await freeName(folder, `${text.slice(0, MOST_KEPT)}${NEW_NAME}`);
    const old = Buffer.concat([Buffer.from(`${folder.path}/`), entry.name]);
    const give = withRights(folder, () => rename(old, folder.at(free)));
    respelled.push(
      await give.then(
        () => ({ from, to: join(folder.realPath, free) }),
        () => ({ from }),
      ),
    );
  }
  return respelled;
}

/** Each byte that is no text takes three in the new name, and a name has at most 255. */
const MOST_KEPT = 60;

async function freeName(folder: AnchoredFolder, name: string): Promise<string> {
  const isTaken = await lstat(folder.at(name)).then(
    () => true,
    () => false,
  );
  return isTaken ? `${name}-${randomBytes(8).toString('hex')}` : name;
}
