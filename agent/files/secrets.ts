import type { BigIntStats } from 'node:fs';
import { opendir, readlink, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ResolvedPath } from '../../src/contract/files.ts';
import { secretAt } from '../../src/contract/secret-paths.ts';
import { entriesBelow } from './anchored-folder.ts';

/** The newest are remembered; each script adds those of its folder again. */
const MOST_REMEMBERED = 20_000;

/** Marks of the files and folders that this agent has hidden from scripts. A mark stays the same when the file gets another name. */
const remembered = new Set<string>();

type Facts = Pick<BigIntStats, 'dev' | 'ino' | 'birthtimeNs'>;

/** A later file may get the same inode. The time of creation tells the two apart. */
export function fileMark({ dev, ino, birthtimeNs }: Facts): string {
  return `${dev}:${ino}:${birthtimeNs}`;
}

/** Remembers a place that is hidden from a script, so that it stays secret under another name. */
export function rememberSecret(mark: string): void {
  remembered.delete(mark);
  remembered.add(mark);
  const [oldest] = remembered;
  if (remembered.size > MOST_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
}

/** Whether some facts are those of a place that was hidden from a script. */
export function wasHidden(facts: Facts): boolean {
  return remembered.has(fileMark(facts));
}

/** Why a place is secret although its name is harmless: it, or a folder above it, was hidden from a script under another name. */
export function secretUnderAnotherName(chain: readonly Facts[]): string | undefined {
  return chain.some(wasHidden) ? 'a place that was hidden from a script, under another name' : undefined; // guard X12-2
}

const MOST_LOOKED_AT = 20_000;

/** `to`: its new place, where that matters. `own`: places of Handrail's own, which stay where they are. */
type Move = { signal: AbortSignal; to?: string; own?: ReadonlySet<string> };

/**
 * Why a folder cannot be moved as a whole: it holds a secret place, which would be found under another name afterwards, something
 * that would be one at the new place, a link that would lead elsewhere from there, or too much to be sure. `undefined` when nothing speaks against it.
 */
export async function reasonAgainstMoving(
  folder: Pick<ResolvedPath, 'realPath' | 'identity'>,
  { signal, to = folder.realPath, own = new Set() }: Move,
): Promise<string | undefined> {
  const secretOf = (path: string, name: string) =>
    own.has(path) ? 'of Handrail itself' : (secretAt(path) ?? secretAt(join(to, name)));
  let looked = 0;
  for await (const { name, path, facts } of entriesBelow(folder)) {
    looked += 1;
    if (looked > MOST_LOOKED_AT || signal.aborted) return 'it holds too many files to look at each';
    const secret = secretOf(path, name);
    if (secret !== undefined) return `it holds ${path}, a secret place (${secret})`; // guard F5-1
    // guard F15-4
    if (facts.isSymbolicLink() && (await leadsElsewhere(path, join(to, name), to)))
      return `it holds ${path}, a link that would lead out of ${dirname(to)} from there`;
  }
  return undefined;
}

/** A link that is relative to its folder can lead to other places of the person after a move. */
async function leadsElsewhere(link: string, moved: string, to: string): Promise<boolean> {
  const target = await readlink(link).catch(() => '/');
  if (target.startsWith('/')) return false;
  const end = join(dirname(moved), target);
  return end !== join(dirname(link), target) && !`${end}/`.startsWith(`${dirname(to)}/`);
}

/** Small folders in the home folder whose files are all secret. */
const FOLDERS = ['.ssh', '.gnupg', '.gnupg/private-keys-v1.d', '.aws', '.kube', '.docker', 'Library/Keychains'];
/** Single secret files in the home folder. */
const FILES = ['.netrc', '.npmrc', '.git-credentials', '.pgpass', '.bash_history', '.zsh_history', '.env'];
const MOST_NAMES_LOOKED_AT = 500;

/**
 * Whether a file with several names is a secret file under another name: a hard link has no target to follow. Only well-known
 * places are searched, so a file with several names is never treated as lying in an allowed folder either.
 */
export async function secretBehindLinks(facts: BigIntStats, home: string): Promise<string | undefined> {
  if (!facts.isFile() || facts.nlink < 2n) return undefined;
  for await (const path of secretPlaces(home)) {
    const other = await stat(path, { bigint: true }).catch(() => undefined);
    if (other?.dev === facts.dev && other.ino === facts.ino) return 'a secret file under a second name';
  }
  return undefined;
}

async function* secretPlaces(home: string): AsyncGenerator<string> {
  yield* FILES.map((name) => join(home, name));
  let looked = 0;
  for (const folder of FOLDERS) {
    const entries = await opendir(join(home, folder)).catch(() => undefined);
    if (entries === undefined) continue;
    for await (const entry of entries) {
      looked += 1;
      if (looked > MOST_NAMES_LOOKED_AT) return;
      yield join(home, folder, entry.name);
    }
  }
}
