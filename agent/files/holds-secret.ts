import { join } from 'node:path';
import type { ResolvedPath } from '../../src/contract/files.ts';
import { secretAt } from '../../src/contract/secret-paths.ts';
import { entriesBelow } from './entries-below.ts';

const MOST_LOOKED_AT = 20_000;

/** `to`: its new place, where that matters. `own`: places of Handrail's own, which stay where they are. */
type Move = { signal: AbortSignal; to?: string; own?: ReadonlySet<string> };

/**
 * Why a folder cannot be moved as a whole: it holds a secret place, which would be found under another name afterwards, something
 * that would be one at the new place, or too much to be sure. `undefined` when nothing speaks against it.
 */
export async function reasonAgainstMoving(
  folder: Pick<ResolvedPath, 'realPath' | 'identity'>,
  { signal, to = folder.realPath, own = new Set() }: Move,
): Promise<string | undefined> {
  const secretOf = (path: string, name: string) =>
    own.has(path) ? 'of Handrail itself' : (secretAt(path) ?? secretAt(join(to, name)));
  let looked = 0;
  for await (const { name, path } of entriesBelow(folder)) {
    looked += 1;
    if (looked > MOST_LOOKED_AT || signal.aborted) return 'it holds too many files to look at each';
    const secret = secretOf(path, name);
    if (secret !== undefined) return `it holds ${path}, a secret place (${secret})`;
  }
  return undefined;
}
