import { opendir } from 'node:fs/promises';
import { join } from 'node:path';

export type EntryBelow = {
  /** Relative to the folder. */
  name: string;
  path: string;
  isFolder: boolean;
};

/** Everything in a folder, each folder before its entries. Links are named and not followed, and closed folders are not entered. */
export async function* entriesBelow(
  realPath: string,
  isClosed: (path: string) => boolean = () => false,
): AsyncGenerator<EntryBelow> {
  const open = [''];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for await (const entry of await opendir(join(realPath, folder))) {
      const name = join(folder, entry.name);
      const path = join(realPath, name);
      const isFolder = entry.isDirectory();
      yield { name, path, isFolder };
      if (isFolder && !isClosed(path)) open.push(name);
    }
  }
}
