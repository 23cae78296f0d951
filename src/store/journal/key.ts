import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { writeDurably } from '../database/durable-file.ts';

/** The key that signs the anchor and checkpoints, made when it is first needed. */
export function readOrCreateKey(path: string): Buffer {
  if (!existsSync(path)) writeDurably(path, randomBytes(32));
  return readFileSync(path);
}

export function readKey(path: string): Buffer | undefined {
  return existsSync(path) ? readFileSync(path) : undefined;
}
