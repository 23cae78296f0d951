import { randomBytes } from 'node:crypto';
import type { Dir, Dirent } from 'node:fs';
import { chmod, lstat, opendir, readlink, realpath, rename, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { RenamedPlace } from '../../src/contract/scripts.ts';
import { comparablePath } from '../../src/contract/secret-paths.ts';
import { type AnchoredFolder, openAtOnce, openFolder } from '../files/anchored-folder.ts';
import { isCode } from '../files/failures.ts';
import { identityOf } from '../files/identity.ts';
import type { StartPlaces } from './start-places.ts';

/** Version control reads commands from files and folders with these names, and from the targets of links with these names. */
const REPOSITORIES: ReadonlySet<string> = new Set(['.git', '.hg', '.jj']);

/** Whether programs of the person take an entry of this name, file, folder or link, for a repository. */
export function isRepositoryName(name: string): boolean {
  return REPOSITORIES.has(comparablePath(name));
}

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

/** `named`: places that settings of a repository name, which count as one, as `starts` do. `links`: those of before. */
type Places = {
  roots: readonly string[];
  before: Repositories;
  hidden: ReadonlySet<string>;
  named: ReadonlySet<string>;
  links: ReadonlyMap<string, string>;
  starts: StartPlaces;
};
type Sweep = { renamed: RenamedPlace[]; isWhole: boolean };

/** With more entries the time to look at each of them is too long. */
const MOST_ENTRIES = 2_000_000;

/**
 * Gives each repository, and each other place that starts commands, another name if it was not there before, so that no program of the
 * person runs commands from it. To be called when all processes of the script have ended. Not whole: there were too many entries.
 */
export async function renameNewRepositories(places: Places): Promise<Sweep> {
  const { roots, before, hidden } = places;
  const renamed: RenamedPlace[] = [];
  const open = [...roots];
  let looked = 0;
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const found = await lookAt(folder, places);
    looked += found.entries;
    for (const path of found.repositories) renamed.push({ from: path, ...(await renamedWithin(path, roots)) });
    if (looked > MOST_ENTRIES) return { renamed, isWhole: false };
    for (const path of found.folders) if (!before.has(path) && !hidden.has(path)) open.push(path);
  }
  return { renamed: renamed.toSorted((one, other) => (one.from < other.from ? -1 : 1)), isWhole: true };
}

type Found = { folders: string[]; repositories: string[]; entries: number };

/** The folders in a folder, and the entries that make repositories and were not there before. */
async function lookAt(folder: string, places: Places): Promise<Found> {
  const opened = await openAtOnce(folder).catch(unlessGone);
  if (opened === undefined) return { folders: [], repositories: [], entries: 0 };
  return lookInto(opened, places).finally(() => opened.close());
}

/** The script may have removed it, and another script may have put a link there. */
function unlessGone(error: unknown): undefined {
  if (!['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'EACCES'].some((code) => isCode(error, code))) throw error;
}

async function lookInto(opened: AnchoredFolder, places: Places): Promise<Found> {
  const { before } = places;
  const { realPath: folder } = opened;
  const found: Found = { folders: [], repositories: [], entries: 0 };
  const layout: string[] = [];
  for await (const entry of await entriesOf(opened)) {
    found.entries += 1;
    if (found.entries > MOST_ENTRIES) break;
    const path = join(folder, entry.name);
    if (startsCommands(path, places) && (await isNew(path, before))) found.repositories.push(path);
    else if (entry.isSymbolicLink()) found.repositories.push(...(await newBehind(path, places)));
    else if (entry.isDirectory()) found.folders.push(path);
    if (LAYOUT.has(comparablePath(entry.name))) layout.push(entry.name);
  }
  if (!before.has(folder) && isLaidOutAsRepository(layout))
    found.repositories.push(
      ...layout.filter((name) => comparablePath(name) === 'head').map((name) => join(folder, name)),
    );
  return found;
}

function startsCommands(path: string, { hidden, named, starts }: Places): boolean {
  return !hidden.has(path) && (isRepositoryName(basename(path)) || named.has(path) || starts.isOne(path));
}

async function isNew(path: string, before: ReadonlyMap<string, string>): Promise<boolean> {
  return before.get(path) !== (await markOf(path));
}

/** A link that is new itself, or the new places to which an old one leads. */
async function newBehind(link: string, { before, links, starts }: Places): Promise<string[]> {
  const fresh: string[] = [];
  for (const path of await starts.behindLink(link)) if (await isNew(path, before)) fresh.push(path);
  return fresh.length > 0 && (await isNew(link, links)) ? [link] : fresh;
}

/** The entries of a folder. One that its owner may not list is opened first: a script can lock a folder that the person can still use. */
async function entriesOf({ path }: AnchoredFolder): Promise<Dir | readonly Dirent[]> {
  try {
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

/** Renames an entry, if its folder is still within the folders of the script: another script may have put a link on the way. */
async function renamedWithin(path: string, roots: readonly string[]): Promise<{ to?: string }> {
  try {
    const facts = await lstat(dirname(path), { bigint: true });
    const folder = facts.isDirectory() ? await openFolder(dirname(path), identityOf(facts)) : undefined;
    if (folder === undefined) return {};
    return await renamedIn(folder, path, roots).finally(() => folder.close());
  } catch {
    // It keeps its name then, and the result says so.
    return {};
  }
}

async function renamedIn(folder: AnchoredFolder, path: string, roots: readonly string[]): Promise<{ to?: string }> {
  const real = await realpath(process.platform === 'darwin' ? dirname(path) : folder.path);
  if (!roots.some((root) => `${real}/`.startsWith(`${root}/`))) return {};
  const name = basename(path);
  const free = await freeName(folder, `${name}${NEW_NAME}`);
  const give = () => rename(folder.at(name), folder.at(free));
  await give().catch(async (error: unknown) => {
    if (!isCode(error, 'EACCES') || !(await unlock(folder.path))) throw error;
    await give();
  });
  return { to: join(dirname(path), free) };
}

async function freeName(folder: AnchoredFolder, name: string): Promise<string> {
  const isTaken = await lstat(folder.at(name)).then(
    () => true,
    () => false,
  );
  return isTaken ? `${name}-${randomBytes(8).toString('hex')}` : name;
}
