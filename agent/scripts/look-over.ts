import { lstat, opendir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { secretAt } from '../../src/contract/secret-paths.ts';
import { isCode } from '../files/failures.ts';
import { secretBehindLinks } from '../files/hard-links.ts';
import type { Home } from '../files/resolve-paths.ts';
import type { HiddenPath } from './sandbox.ts';

/** With more entries the time to look at each of them is too long. */
export const MOST_ENTRIES = 100_000;

/** What a folder holds, by absolute path, as far as the script can see it; and what must be hidden from the script. */
export type Overview = {
  /** Size, times and inode of every file: another value means that the file has changed. */
  files: Map<string, string>;
  hidden: HiddenPath[];
  readOnly: string[];
};

type Look = { overview: Overview; home: Home; signal: AbortSignal; looked: number; skip: ReadonlySet<string> };

/** Looks at everything below some folders. `skip` names places that are hidden already. */
export async function lookOver(
  folders: readonly string[],
  { home, signal, skip = new Set() }: { home: Home; signal: AbortSignal; skip?: ReadonlySet<string> },
): Promise<Overview | 'too many' | 'stopped'> {
  const overview: Overview = { files: new Map(), hidden: [], readOnly: [] };
  const look = { overview, home, signal, looked: 0, skip };
  const open = [...folders];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const below = await lookAt(look, folder);
    if (below === 'too many' || below === 'stopped') return below;
    open.push(...below);
  }
  return overview;
}

/** Notes the entries of one folder, and answers the folders among them. */
async function lookAt(look: Look, folder: string): Promise<string[] | 'too many' | 'stopped'> {
  const below: string[] = [];
  // A script may have removed or locked the folder meanwhile.
  const entries = await opendir(folder).catch((error: unknown) => {
    if (isCode(error, 'ENOENT') || isCode(error, 'EACCES') || isCode(error, 'ENOTDIR')) return [];
    throw error;
  });
  for await (const { name } of entries) {
    look.looked += 1;
    if (look.looked > MOST_ENTRIES) return 'too many';
    if (look.signal.aborted) return 'stopped';
    const path = join(folder, name);
    if (look.skip.has(path)) continue;
    const kind = await note(look, path);
    if (kind === 'folder') below.push(path);
  }
  return below;
}

async function note({ overview, home }: Look, path: string): Promise<'folder' | 'other'> {
  const facts = await lstat(path, { bigint: true }).catch(() => undefined);
  if (facts === undefined) return 'other';
  const isFolder = facts.isDirectory();
  const isDoor = !isFolder && !facts.isFile() && !facts.isSymbolicLink();
  // What a link leads to is outside of the sandbox, or is looked at by itself.
  const secret = facts.isSymbolicLink() ? undefined : (secretAt(path) ?? (await secretBehindLinks(facts, home.path)));
  if (isDoor || secret !== undefined) {
    overview.hidden.push({ path, kind: isFolder ? 'folder' : 'file' });
    return 'other';
  }
  // Programs of the person run what is there at the next use of the repository.
  if (basename(dirname(path)) === '.git' && ['hooks', 'config'].includes(basename(path))) overview.readOnly.push(path);
  if (isFolder) return 'folder';
  overview.files.set(path, `${facts.ino} ${facts.size} ${facts.mtimeNs} ${facts.ctimeNs}`);
  return 'other';
}
