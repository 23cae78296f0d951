import type { FileIdentity } from '../../src/contract/files.ts';

/** Which file or folder some facts are about. */
export function identityOf({ dev, ino }: { dev: bigint; ino: bigint }): FileIdentity {
  return { device: String(dev), inode: String(ino) };
}

export function isSame(one: FileIdentity | undefined, other: FileIdentity | undefined): boolean {
  return one !== undefined && other !== undefined && one.device === other.device && one.inode === other.inode;
}
