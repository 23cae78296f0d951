import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';

const ANY_HOST = 0xffff;
const COOKIE_BYTES = 16;

/**
 * Writes an Xauthority file with a fresh cookie that is good for every display: the number of the display is known only
 * once the X server, which reads the file, has started. Only the owner may read it, so nobody else can connect.
 */
export function writeXAuthority(file: string): void {
  const family = Buffer.alloc(2);
  family.writeUInt16BE(ANY_HOST);
  const fields = [Buffer.alloc(0), Buffer.alloc(0), Buffer.from('MIT-MAGIC-COOKIE-1'), randomBytes(COOKIE_BYTES)];
  writeFileSync(file, Buffer.concat([family, ...fields.map(counted)]), { mode: 0o600, flag: 'wx' });
}

function counted(field: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(field.length);
  return Buffer.concat([length, field]);
}
