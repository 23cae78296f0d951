import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileIdentity } from '../../src/contract/files.ts';
import { identityOf, isSame } from './identity.ts';

/**
 * An open folder in which files are named without walking the path to it again. A link that somebody puts on the path meanwhile
 * has no effect. Linux: `/proc/self/fd/<n>` names the open folder. macOS: `/.vol/<device>/<inode>` names a folder by its inode.
 */
export type AnchoredFolder = {
  /** A path to an entry of this folder, for one call of `node:fs`. `name` must be a single name. */
  at(name: string): string;
  /** A path to the folder itself. */
  path: string;
  close(): Promise<void>;
  /** Makes renames in this folder durable. */
  sync(): Promise<void>;
};

/** Opens the folder at a real path if it is still the one that was judged; `undefined` when it is another one. */
export async function openFolder(realPath: string, judged: FileIdentity): Promise<AnchoredFolder | undefined> {
  const handle = await open(realPath, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    const found = identityOf(await handle.stat({ bigint: true }));
    if (isSame(found, judged)) return anchored(handle, judged);
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  return undefined;
}

function anchored(handle: FileHandle, { device, inode }: FileIdentity): AnchoredFolder {
  const base = process.platform === 'darwin' ? `/.vol/${device}/${inode}` : `/proc/self/fd/${handle.fd}`;
  return {
    path: base,
    at(name) {
      if (name === '' || name === '.' || name === '..' || name.includes('/')) throw new Error(`not a name: ${name}`);
      return join(base, name);
    },
    sync: () => handle.sync(),
    close: () => handle.close(),
  };
}
