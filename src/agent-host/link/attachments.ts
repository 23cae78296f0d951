import { hash } from 'node:crypto';
import { lazyCheck } from '../../contract/lazy-check.ts';
import { type Attachment, AttachmentHeader, MAX_ATTACHMENT_BYTES } from '../../contract/link.ts';

const LENGTH_BYTES = 4;
const LONGEST_HEADER_BYTES = 256;

const MAGIC: Record<Attachment['mediaType'], (bytes: Buffer) => boolean> = {
  'image/png': (bytes) => bytes.subarray(0, 8).toString('hex') === '89504e470d0a1a0a',
  'image/jpeg': (bytes) => bytes.subarray(0, 3).toString('hex') === 'ffd8ff',
  'image/webp': (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
  // Files and output of programs may hold any bytes.
  'application/octet-stream': () => true,
  'text/plain': () => true,
};

const isAttachmentHeader = lazyCheck(AttachmentHeader);

/** Reads a binary frame; `null` where it has not the form of rule 4 in LINK.md. */
export function readAttachmentFrame(frame: Uint8Array): { id: string; bytes: Uint8Array } | null {
  const buffer = bufferOver(frame);
  if (buffer.byteLength < LENGTH_BYTES) return null;
  const headerBytes = buffer.readUInt32BE(0);
  const end = LENGTH_BYTES + headerBytes;
  if (headerBytes > LONGEST_HEADER_BYTES || end > buffer.byteLength) return null;
  const header = parsed(buffer.toString('utf8', LENGTH_BYTES, end));
  return isAttachmentHeader(header) ? { id: header.id, bytes: buffer.subarray(end) } : null;
}

/** Why an announcement cannot be accepted whatever its bytes are, or `null`. */
export function announcementFault({ id, sizeBytes }: Attachment): string | null {
  return sizeBytes > MAX_ATTACHMENT_BYTES
    ? `expected at most ${MAX_ATTACHMENT_BYTES} bytes, the agent announced ${sizeBytes} for ${id}`
    : null;
}

/** Why the bytes are not what was announced, or `null`. */
export function contentFault({ id, sizeBytes, sha256, mediaType }: Attachment, bytes: Uint8Array): string | null {
  if (bytes.byteLength !== sizeBytes) return `expected ${sizeBytes} bytes of ${id}, got ${bytes.byteLength}`;
  if (!MAGIC[mediaType](bufferOver(bytes))) return `expected ${id} to be ${mediaType}, its first bytes are not`;
  if (hash('sha256', bytes, 'hex') !== sha256) return `expected ${id} to have the announced SHA-256, it has another`;
  return null;
}

function bufferOver({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
