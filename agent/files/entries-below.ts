import type { BigIntStats } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ResolvedPath } from '../../src/contract/files.ts';
import { type AnchoredFolder, openFolder } from './anchored-folder.ts';
import { isCode } from './failures.ts';
import { identityOf } from './identity.ts';

type Folder = Pick<ResolvedPath, 'realPath' | 'identity'>;

export type EntryBelow = {
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
        if (isFolder && !isClosed(path)) open.push({ realPath: path, identity: identityOf(facts), name });
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
