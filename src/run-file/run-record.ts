import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { Action } from '../contract/action.ts';
import { ActivityDetail } from '../contract/activity.ts';
import { Sha256, Timestamp } from '../contract/ids.ts';
import { lazyCheck } from '../contract/lazy-check.ts';
import { closed } from '../contract/literals.ts';
import { Run } from '../contract/run.ts';

/** The version of the page and of its record. A file of another one can be checked only by the build that wrote it. */
export const FORMAT = 1;

const nullableText = Type.Union([Type.String(), Type.Null()]);

/** A row of the journal with everything that its hash is made of. */
const RecordedRow = Type.Object(
  {
    seq: Type.Integer(),
    atMs: Type.Integer(),
    kind: Type.String(),
    userId: nullableText,
    deviceId: nullableText,
    actionId: nullableText,
    confirmationId: nullableText,
    metadata: Type.String({ description: 'as it is stored: canonical JSON' }),
    previousHash: Sha256,
    hash: Sha256,
  },
  closed,
);
export type RecordedRow = Static<typeof RecordedRow>;

const { journal: _inOnePlace, ...detail } = ActivityDetail.properties;

/** A result may have the shape of another build. */
const AnyAction = Type.Object({ ...Action.properties, data: Type.Optional(Type.Unknown()) }, closed);

const RecordedAction = Type.Object(
  {
    detail: Type.Object({ ...detail, action: AnyAction }, closed),
    /** The text whose SHA-256 the journal holds as the digest of the action, while its arguments are kept. */
    subject: Type.Optional(Type.String()),
  },
  closed,
);
export type RecordedAction = Static<typeof RecordedAction>;

/** The contents of a saved run. The file is made from them and from the bytes of the pictures alone. */
export const RunRecord = Type.Object(
  {
    version: Type.Literal(FORMAT),
    savedAt: Timestamp,
    // The effects are made from the actions, which the record holds.
    run: Type.Omit(Run, ['effects'], closed),
    actions: Type.Array(RecordedAction, { description: 'oldest first' }),
    texts: Type.Array(Type.Object({ sha256: Sha256, text: Type.String() }, closed)),
    pictures: Type.Array(
      Type.Object({ sha256: Sha256, mediaType: Type.String({ pattern: '^image/[a-z]+$' }) }, closed),
    ),
    journal: Type.Array(RecordedRow, { description: 'oldest first' }),
  },
  closed,
);
export type RunRecord = Static<typeof RunRecord>;

export const isRunRecord = lazyCheck(RunRecord);

/** A saved run, cut into its page and its seal. */
type Sealed = { page: string; signature: string; isWhole: boolean };

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
