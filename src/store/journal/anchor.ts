import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Head } from './journal.ts';

/** Writes the end of the chain to a file of its own, outside of the database, so that cutting the tail shows. */
export function writeAnchor(path: string, head: Head): void {
  const temporary = `${path}.new`;
  writeFileSync(temporary, `${JSON.stringify({ seq: head.seq, hash: head.hash.toString('hex') })}\n`, { mode: 0o600 });
  renameSync(temporary, path);
}

/** The end of the chain as it was anchored last; nothing when it never was. */
export function readAnchor(path: string): Head | undefined {
  try {
    const { seq, hash } = JSON.parse(readFileSync(path, 'utf8')) as { seq: number; hash: string };
    return { seq, hash: Buffer.from(hash, 'hex') };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    // A file that is there and cannot be read vouches for nothing: treat it as an anchor nobody can satisfy.
    return { seq: Number.MAX_SAFE_INTEGER, hash: Buffer.alloc(32) };
  }
}
