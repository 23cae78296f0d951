import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** The key that signs checkpoints, made when it is first needed. */
export function readOrCreateKey(path: string): Buffer {
  if (!existsSync(path)) writeFileSync(path, randomBytes(32), { mode: 0o600, flag: 'wx' });
  return readFileSync(path);
}

export function readKey(path: string): Buffer | undefined {
  return existsSync(path) ? readFileSync(path) : undefined;
}
