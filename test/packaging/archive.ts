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
  const magic = bytes.length < 8 ? 0 : bytes.readUInt32BE(0);
  if (magic === 0xcffaedfe) return [CPUS[bytes.readUInt32LE(4)] ?? 'unknown'];
  if (magic !== 0xcafebabe) return [];
  const entries = Array.from({ length: bytes.readUInt32BE(4) }, (_, index) => bytes.readUInt32BE(8 + index * 20));
  return entries.map((cpu) => CPUS[cpu] ?? 'unknown').toSorted();
}
