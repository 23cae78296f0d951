import { createHmac, hash, timingSafeEqual } from 'node:crypto';

/** A saved run, cut into its page and its seal. */
export type Sealed = { page: string; signature: string; isWhole: boolean };

const SEAL = /<!-- handrail signature ([0-9a-f]{64}) sha256 ([0-9a-f]{64}) -->\n$/;
const SEAL_LENGTH = 167;

/** A page with its seal behind it: the signature of the daemon, and a digest that everybody can check. */
export function sealed(page: string, signature: string): string {
  return `${page}<!-- handrail signature ${signature} sha256 ${digestOf(page, signature)} -->\n`;
}

/** The parts of a sealed text, or nothing where it has no seal. */
export function openSealed(text: string): Sealed | undefined {
  const tail = text.slice(-SEAL_LENGTH);
  const found = SEAL.exec(tail);
  const [seal, signature, digest] = found ?? [];
  if (seal === undefined || signature === undefined) return undefined;
  const page = text.slice(0, text.length - seal.length);
  return { page, signature, isWhole: digestOf(page, signature) === digest };
}

/** HMAC-SHA-256 (RFC 2104) over a page with the key of the journal, in hexadecimal. The word before it parts it from other signatures. */
export function signatureOf(page: string, key: Buffer): string {
  return createHmac('sha256', key).update('run file\n').update(page).digest('hex');
}

export function isSignedBy({ page, signature }: Sealed, key: Buffer): boolean {
  return timingSafeEqual(Buffer.from(signature, 'hex'), Buffer.from(signatureOf(page, key), 'hex'));
}

function digestOf(page: string, signature: string): string {
  return hash('sha256', `${page}${signature}`);
}
