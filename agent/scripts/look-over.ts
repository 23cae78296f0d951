import type { BigIntStats } from 'node:fs';
import { lstat, opendir, readlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { FileIdentity } from '../../src/contract/files.ts';
import { secretAt } from '../../src/contract/secret-paths.ts';
import { type AnchoredFolder, identityOf, openAtOnce } from '../files/anchored-folder.ts';
import { isCode } from '../files/failures.ts';
import type { Home } from '../files/resolve-paths.ts';
import { fileMark, secretBehindLinks, wasHidden } from '../files/secrets.ts';
import { isLaidOutAsRepository, isRepositoryName, markOf, UNREADABLE } from './repositories.ts';
import type { HiddenPath } from './sandbox.ts';
import { createStartPlaces, type StartPlaces } from './start-places.ts';

/** With more entries the time to look at each of them is too long. */
export const MOST_ENTRIES = 100_000;

/** The contents of a folder that a script can see, and the places to hide from it. All paths are absolute. */
export type Overview = {
  /** Size, times and inode of every file: another value means that the file has changed. */
  files: Map<string, string>;
  hidden: HiddenPath[];
  /** Repositories and places of settings: programs of the person run commands from them at their next use. */
  readOnly: string[];
  /** Which file or folder each hidden and read-only place and each folder is. */
  identities: Map<string, FileIdentity>;
  /** The same of hidden places, as a mark that no later file gets. */
  hiddenMarks: Map<string, string>;
  /** Every repository and place of settings, also a link to one, with a mark that tells it from another in its place. */
  repositories: Map<string, string>;
  /** What every link says, and nothing for a name that is no text. */
  links: Map<string, string>;
  /** Whether everything was looked at, or why not. */
  end: 'whole' | 'too many' | 'stopped';
};

type Look = {
  overview: Overview;
  home: Home;
  signal: AbortSignal;
  looked: number;
  skip: ReadonlySet<string>;
  /** Files with several names, which may be names of a hidden file. */
  linked: { path: string; mark: string }[];
  starts: StartPlaces;
};
type Folder = { path: string; isInRepository: boolean };
type Options = { home: Home; signal: AbortSignal; skip?: ReadonlySet<string>; writable?: readonly string[] };

/** Looks at everything below some folders. `skip` names places that are hidden already, `writable` all that the script may write. */
export async function lookOver(
  folders: readonly string[],
  { home, signal, skip = new Set(), writable = folders }: Options,
): Promise<Overview> {
  const overview: Overview = {
    files: new Map(),
    hidden: [],
    readOnly: [],
    end: 'whole',
    identities: new Map(),
    hiddenMarks: new Map(),
    repositories: new Map(),
    links: new Map(),
  };
  const look: Look = { overview, home, signal, looked: 0, skip, linked: [], starts: createStartPlaces(writable) };
  const open: Folder[] = folders.map((path) => ({ path, isInRepository: false }));
  for (let folder = open.pop(); folder !== undefined && overview.end === 'whole'; folder = open.pop())
    open.push(...(await lookAt(look, folder)));
  const secret = new Set(overview.hiddenMarks.values());
  for (const { path, mark } of look.linked) if (secret.has(mark)) hide(overview, { path, kind: 'file', mark });
  await keepUnderOtherNames(look);
  return overview;
}

/** A place that is kept is not written by a link that leads to it, and by a second name of its file neither. */
async function keepUnderOtherNames({ overview, linked, starts }: Look): Promise<void> {
  for (const link of overview.links.keys())
    for (const path of await starts.behindLink(link)) await keepPlace(path, overview);
  const kept = new Set(linked.filter(({ path }) => overview.repositories.has(path)).map(({ mark }) => mark));
  for (const { path, mark } of linked) if (kept.has(mark)) await keepPlace(path, overview);
}

/** Keeps a place from the script, if it is there and neither kept nor hidden yet. */
export async function keepPlace(path: string, overview: Overview): Promise<void> {
  const facts = await lstat(path, { bigint: true }).catch(() => undefined);
  const isKept = overview.readOnly.some((place) => `${path}/`.startsWith(`${place}/`));
  if (facts === undefined || isKept || overview.hidden.some((place) => `${path}/`.startsWith(`${place.path}/`))) return;
  overview.repositories.set(path, (await markOf(path)) ?? '');
  if (!facts.isFile() && !facts.isDirectory()) return;
  overview.readOnly.push(path);
  overview.identities.set(path, identityOf(facts));
}

/** Notes the entries of one folder, and answers the folders among them. Where a link has taken its place, there are none. */
async function lookAt(look: Look, folder: Folder): Promise<Folder[]> {
  const opened = await openAtOnce(folder.path).catch(unlessGone);
  return opened === undefined ? [] : lookInto(look, folder, opened).finally(() => opened.close());
}

/** A script may have removed the folder meanwhile, or put a link there. */
function unlessGone(error: unknown): undefined {
  if (!['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES'].some((code) => isCode(error, code))) throw error;
}

async function lookInto(look: Look, folder: Folder, opened: AnchoredFolder): Promise<Folder[]> {
  const { overview } = look;
  const below: Folder[] = [];
  const names: string[] = [];
  for await (const { name } of await entriesOf(look, opened)) {
    look.looked += 1;
    if (look.looked > MOST_ENTRIES) overview.end = 'too many';
    else if (look.signal.aborted) overview.end = 'stopped';
    if (overview.end !== 'whole') return [];
    const path = join(folder.path, name);
    if (look.skip.has(path)) continue;
    names.push(name);
    const isRepository = !folder.isInRepository && startsCommands(look, path);
    const kind = await note(look, path, { isRepository, facts: await factsOf(look, opened, name) });
    if (kind === 'folder') below.push({ path, isInRepository: isRepository || folder.isInRepository });
  }
  if (folder.isInRepository || !isLaidOutAsRepository(names)) return below;
  await noteRepository(overview, folder.path);
  return below.map(({ path }) => ({ path, isInRepository: true }));
}

function factsOf({ overview }: Look, opened: AnchoredFolder, name: string): Promise<BigIntStats | undefined> {
  if (name.includes(UNREADABLE)) overview.links.set(join(opened.realPath, name), '');
  return opened.look(name).catch(() => undefined);
}

function startsCommands({ starts }: Look, path: string): boolean {
  return isRepositoryName(basename(path)) || starts.isOne(path); // guard X21-1
}

/** A script has the same rights as the person, so it could open a folder that the person has locked, and read it. */
async function entriesOf({ overview }: Look, { realPath, path }: AnchoredFolder) {
  try {
    return await opendir(path);
  } catch (error) {
    unlessGone(error);
    if (isCode(error, 'EACCES') && overview.identities.has(realPath))
      overview.hidden.push({ path: realPath, kind: 'folder' });
    return [];
  }
}

type Noted = { isRepository: boolean; facts: BigIntStats | undefined };

async function note(look: Look, path: string, { isRepository, facts }: Noted): Promise<'folder' | 'other'> {
  const { overview, home, linked } = look;
  if (facts === undefined) return 'other';
  const isFolder = facts.isDirectory();
  const isDoor = !isFolder && !facts.isFile() && !facts.isSymbolicLink();
  if (isFolder || isRepository) overview.identities.set(path, identityOf(facts));
  // The target of a link is outside of the sandbox, or gets its own look.
  const isSecret =
    !facts.isSymbolicLink() &&
    (secretAt(path) !== undefined || wasHidden(facts) || (await secretBehindLinks(facts, home.path)) !== undefined);
  // guard X1-1
  if (isDoor || isSecret) {
    hide(overview, { path, kind: isFolder ? 'folder' : 'file', mark: fileMark(facts) });
    return 'other';
  }
  if (isRepository) await noteRepository(overview, path, facts);
  if (isFolder) return 'folder';
  overview.files.set(path, `${facts.ino} ${facts.size} ${facts.mtimeNs} ${facts.ctimeNs}`);
  if (facts.isSymbolicLink()) overview.links.set(path, await readlink(path).catch(() => ''));
  if (facts.nlink > 1n) linked.push({ path, mark: fileMark(facts) });
  return 'other';
}

function hide({ hidden, hiddenMarks, files }: Overview, { path, kind, mark }: HiddenPath & { mark: string }): void {
  hidden.push({ path, kind });
  hiddenMarks.set(path, mark);
  files.delete(path);
}

/** A link cannot be kept from being replaced; another one in its place is found after the run. */
async function noteRepository(overview: Overview, path: string, facts?: BigIntStats): Promise<void> {
  overview.repositories.set(path, (await markOf(path)) ?? '');
  if (facts?.isSymbolicLink() !== true) overview.readOnly.push(path); // guard X3-1
}
