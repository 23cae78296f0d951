import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { secretAt } from '../../src/contract/secret-paths.ts';

const MOST_LOOKED_AT = 20_000;

/**
 * Why a folder cannot be moved as a whole: it holds a secret place, which would be found under another name afterwards, or too
 * much to be sure. `undefined` when nothing speaks against it.
 */
export async function reasonAgainstMoving(realPath: string, signal: AbortSignal): Promise<string | undefined> {
  let looked = 0;
  const open = [realPath];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for await (const entry of await opendir(folder)) {
      looked += 1;
      if (looked > MOST_LOOKED_AT || signal.aborted) return 'it holds too many files to look at each';
      const path = join(folder, entry.name);
      const secret = secretAt(path);
      if (secret !== undefined) return `it holds ${path}, a secret place (${secret})`;
      if (entry.isDirectory()) open.push(path);
    }
  }
  return undefined;
}
