import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { writeDurably } from '../database/durable-file.ts';
import type { Head } from './journal.ts';

/** The end of the chain as it was anchored. */
export type Anchor = Head & { signature: string };

/** Writes the end of the chain to a file of its own, outside of the database, so that cutting the tail shows. */
export function writeAnchor(path: string, head: Head, key: Buffer): void {
  const temporary = `${path}.new`;
  const anchor = { seq: head.seq, hash: head.hash.toString('hex'), signature: signatureOfAnchor(head, key) };
  writeFileSync(temporary, `${JSON.stringify(anchor)}\n`, { mode: 0o600 });
  renameSync(temporary, path);
}

/** The end of the chain as it was anchored last; nothing when it never was. */
export function readAnchor(path: string): Anchor | undefined {
  try {
    const { seq, hash, signature } = JSON.parse(readFileSync(path, 'utf8')) as Record<'hash' | 'signature', string> & {
      seq: number;
    };
    return { seq, hash: Buffer.from(hash, 'hex'), signature };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    // A file that is there and cannot be read vouches for nothing: treat it as an anchor nobody can satisfy.
    return { seq: Number.MAX_SAFE_INTEGER, hash: Buffer.alloc(32), signature: '' };
  }
}

/** HMAC-SHA-256 (RFC 2104) over the end of the chain, in hexadecimal. */
export function signatureOfAnchor({ seq, hash }: Head, key: Buffer): string {
  return createHmac('sha256', key)
    .update(JSON.stringify(['anchor', seq, hash.toString('hex')]))
    .digest('hex');
}

/** The key that signs the anchor and checkpoints, made when it is first needed. */
export function readOrCreateKey(path: string): Buffer {
  if (!existsSync(path)) writeDurably(path, randomBytes(32));
  return readFileSync(path);
}

export function readKey(path: string): Buffer | undefined {
  return existsSync(path) ? readFileSync(path) : undefined;
}
