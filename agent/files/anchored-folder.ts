import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * An open folder in which files are named without walking the path to it again. A link that somebody puts on the path meanwhile
 * has no effect. Linux: `/proc/self/fd/<n>` names the open folder. macOS: `/.vol/<device>/<inode>` names a folder by its inode.
 */
export type AnchoredFolder = {
  /** A path to an entry of this folder, for one call of `node:fs`. `name` must be a single name. */
  at(name: string): string;
  close(): Promise<void>;
  /** Makes renames in this folder durable. */
  sync(): Promise<void>;
};

export type Identity = { device: string; inode: string };

/** Opens the folder at a real path if it is still the one that was judged; `undefined` when it is another one. */
export async function openFolder(realPath: string, judged: Identity): Promise<AnchoredFolder | undefined> {
  const handle = await open(realPath, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    const facts = await handle.stat({ bigint: true });
    if (String(facts.dev) === judged.device && String(facts.ino) === judged.inode) return anchored(handle, judged);
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  return undefined;
}

function anchored(handle: FileHandle, { device, inode }: Identity): AnchoredFolder {
  const base = process.platform === 'darwin' ? `/.vol/${device}/${inode}` : `/proc/self/fd/${handle.fd}`;
  return {
    at(name) {
      if (name === '' || name === '.' || name === '..' || name.includes('/')) throw new Error(`not a name: ${name}`);
      return join(base, name);
    },
    sync: () => handle.sync(),
    close: () => handle.close(),
  };
}
