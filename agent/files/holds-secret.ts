import { readlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ResolvedPath } from '../../src/contract/files.ts';
import { secretAt } from '../../src/contract/secret-paths.ts';
import { entriesBelow } from './entries-below.ts';

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
    if (secret !== undefined) return `it holds ${path}, a secret place (${secret})`;
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
