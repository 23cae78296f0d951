import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Integrity = { algorithm: string; hash: string; blockSize: number; blocks: string[] };
type Entry =
  | { files: Record<string, Entry> }
  | { size: number; unpacked?: true; offset?: string; executable?: true; integrity: Integrity };

/** A file of the archive. `path` is from the root of the archive, without a slash in front. */
export type ArchivedFile = { path: string; size: number; isUnpacked: boolean; namedHash: string; content(): Buffer };

export type Archive = { headerHash: string; files: readonly ArchivedFile[] };

/**
 * Reads an asar file by the form that its documentation describes, without the package that wrote it: the length of the header as a
 * pickle (8 bytes), the header as a pickle of a JSON string, the contents.
 */
export function readArchive(file: string): Archive {
  const bytes = readFileSync(file);
  const headerBytes = bytes.readUInt32LE(4);
  const header = bytes.subarray(16, 16 + bytes.readUInt32LE(12));
  const root: Entry = JSON.parse(header.toString('utf8'));
  const contents = 8 + headerBytes;

  function filesOf(entry: Entry, path: string): ArchivedFile[] {
    if ('files' in entry) {
      return Object.entries(entry.files).flatMap(([name, inner]) => filesOf(inner, join(path, name)));
    }
    const { size, offset, integrity } = entry;
    const content = () =>
      offset === undefined
        ? readFileSync(join(`${file}.unpacked`, path))
        : bytes.subarray(contents + Number(offset), contents + Number(offset) + size);
    return [{ path, size, isUnpacked: entry.unpacked === true, namedHash: integrity.hash, content }];
  }

  return { headerHash: sha256(header), files: filesOf(root, '') };
}

export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

const CPUS: Record<number, string> = { 16777228: 'arm64', 16777223: 'x64' };

/** The architectures of a binary of macOS; nothing for any other content. */
export function machArchitectures(bytes: Buffer): string[] {
  return machParts(bytes)
    .map((part) => CPUS[part.readUInt32LE(4)] ?? 'unknown')
    .toSorted();
}

const MACOS = 1;
const LC_BUILD_VERSION = 0x32;
/** Of older compilers. */
const LC_VERSION_MIN_MACOSX = 0x24;

/** The version of macOS that each part of a binary needs, as a number such as 10.15; of the form that `mach-o/loader.h` describes. */
export function machMinimums(bytes: Buffer): number[] {
  return machParts(bytes).flatMap((part) => {
    const versions: number[] = [];
    const commands = part.readUInt32LE(16);
    for (let at = 32, index = 0; index < commands; index += 1, at += part.readUInt32LE(at + 4)) {
      const command = part.readUInt32LE(at);
      if (command === LC_BUILD_VERSION && part.readUInt32LE(at + 8) === MACOS) versions.push(versionAt(part, at + 12));
      if (command === LC_VERSION_MIN_MACOSX) versions.push(versionAt(part, at + 8));
    }
    return versions;
  });
}

/** Written as xxxx.yy.zz in 16, 8 and 8 bits. */
function versionAt(part: Buffer, at: number): number {
  const version = part.readUInt32LE(at);
  return (version >>> 16) + ((version >>> 8) & 255) / 100;
}

/** The binaries in a file for several architectures, or the only one. */
function machParts(bytes: Buffer): Buffer[] {
  const magic = bytes.length < 8 ? 0 : bytes.readUInt32BE(0);
  if (magic === 0xcffaedfe) return [bytes];
  if (magic !== 0xcafebabe) return [];
  return Array.from({ length: bytes.readUInt32BE(4) }, (_, index) =>
    bytes.subarray(bytes.readUInt32BE(16 + index * 20)),
  );
}
