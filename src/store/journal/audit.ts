import { createHmac, timingSafeEqual } from 'node:crypto';
import Database from 'better-sqlite3';
import type { AuditResult } from '../../contract/settings.ts';
import type { DataDirectory } from '../database/data-directory.ts';
import { refuseOlder } from '../database/migrate.ts';
import { tablesOf } from '../database/salvage.ts';
import { type Anchor, readAnchor, readKey, signatureOfAnchor } from './anchor.ts';
import { chain, type Head, readBeginning, readHead, type StoredRow } from './journal.ts';

export type Checkpoint = { seq: number; hash: Buffer; rows_pruned: number; at_ms: number; signature: Buffer };

/** Rows are read so many at a time; none of them is looked at by a read that lasts. */
const SLICE = 1_000;

/**
 * Verifies the journal of a data directory: every row follows from the one before, the anchor outside of the database is there
 * and names a row that is there, and every checkpoint is signed by us. Only reads; a daemon may be running.
 * `pause` is called between slices, so that the caller can leave the processor to others. Throws OlderDatabase.
 */
export function auditJournal(
  directory: Pick<DataDirectory, 'database' | 'anchor' | 'key'>,
  pause: () => void = () => undefined,
): AuditResult {
  // Read before the rows, so that rows which come meanwhile are no surprise.
  const anchor = readAnchor(directory.anchor);
  const key = readKey(directory.key);
  const database = new Database(directory.database, { readonly: true, fileMustExist: true });
  try {
    // A file that another version did not have, such as the key, is no sign of tampering.
    if (tablesOf(database).includes('journal')) refuseOlder(database);
    const walked = walk(database, key, pause);
    return walked.valid ? (endFault(database, { anchor, key }, walked.rows) ?? walked) : walked;
  } finally {
    database.close();
  }
}

/** Slice by slice; where rows were pruned meanwhile, it goes on from the checkpoint that was left. */
function walk(database: Database.Database, key: Buffer | undefined, pause: () => void): AuditResult {
  const after = database.prepare<unknown[], StoredRow>('SELECT * FROM journal WHERE seq > ? ORDER BY seq LIMIT ?');
  const nextSlice = database.transaction((from: Head | undefined) => {
    const beginning = readBeginning(database);
    const previous = from === undefined || from.seq < beginning.seq ? beginning : from;
    return { previous, forged: forgedCheckpoint(database, key), rows: after.all(previous.seq, SLICE) };
  });
  let previous: Head | undefined;
  for (let rows = 0; ; ) {
    const slice = nextSlice(previous);
    if (slice.forged !== undefined)
      return { valid: false, rows: 0, brokenAt: slice.forged, reason: 'a checkpoint is not signed by us' };
    previous = slice.previous;
    for (const row of slice.rows) {
      const reason = wrongWith(row, previous);
      if (reason !== undefined) return { valid: false, rows, brokenAt: row.seq, reason };
      previous = { seq: row.seq, hash: row.hash };
      rows += 1;
    }
    if (slice.rows.length < SLICE) return { valid: true, rows };
    pause();
  }
}

function wrongWith(row: StoredRow, previous: Head): string | undefined {
  if (!follows(row, previous)) return 'a row does not follow from the one before it';
  return row.kind === BROKEN ? NOTED_BROKEN : undefined;
}

function follows(row: StoredRow, previous: Head): boolean {
  const { seq, at_ms, kind, user_id, device_id, action_id, confirmation_id, metadata } = row;
  const expected = chain(previous.hash, [seq, at_ms, kind, user_id, device_id, action_id, confirmation_id, metadata]);
  return seq === previous.seq + 1 && row.previous_hash.equals(previous.hash) && row.hash.equals(expected); // guard S1-1
}

/** The kind of the row that a daemon appends when it finds its journal broken. The row stays, so the journal stays broken. */
export const BROKEN = 'journal.broken';

/** Why a journal is broken at such a row. */
export const NOTED_BROKEN = 'the daemon noted that it had found the journal broken';

const NO_ANCHOR = 'the file that anchors the end of the journal (journal.anchor) is missing';
const NO_KEY = 'the key that signs the anchor of the journal (journal.key) is missing';
const OTHER_KEY = 'the anchor of the journal is not signed with the key beside it (journal.key)';
const NO_ROWS = 'the journal is empty, though there are records of what happened';

/**
 * The fault at the end of the chain: the anchor is missing, not signed by us, or names a row that does not exist, or all rows are gone.
 * The store writes the anchor before the first row, so only a journal that never had a row has none.
 */
export function endFault(
  database: Database.Database,
  { anchor, key }: { anchor: Anchor | undefined; key: Buffer | undefined },
  rows: number,
): AuditResult | undefined {
  const { seq } = readHead(database);
  const fault = (brokenAt: number, reason: string) => ({ valid: false, rows, brokenAt, reason });
  if (seq === 0 && hasRecords(database)) return fault(0, NO_ROWS); // guard S4-1
  if (anchor === undefined) return seq === 0 ? undefined : fault(seq, NO_ANCHOR); // guard S3-1
  const unsigned = signatureFault(anchor, key);
  if (unsigned !== undefined) return fault(seq, unsigned);
  if (anchor.seq <= readBeginning(database).seq) return undefined;
  const row = database.prepare('SELECT hash FROM journal WHERE seq = ?').get(anchor.seq) as
    | { hash: Buffer }
    | undefined;
  if (row?.hash.equals(anchor.hash)) return undefined; // guard E-10
  return fault(anchor.seq, row === undefined ? 'rows at the end were cut off' : 'the whole chain was written anew');
}

/** Every row of these tables came with a row of the journal. */
function hasRecords(database: Database.Database): boolean {
  const tables = ['devices', 'actions', 'tasks'].map((table) => `EXISTS (SELECT 1 FROM ${table})`);
  return (
    database
      .prepare(`SELECT ${tables.join(' OR ')}`)
      .pluck()
      .get() === 1
  );
}

function signatureFault(anchor: Anchor, key: Buffer | undefined): string | undefined {
  if (key === undefined) return NO_KEY; // guard S4-2
  return signatureOfAnchor(anchor, key) === anchor.signature ? undefined : OTHER_KEY;
}

function forgedCheckpoint(database: Database.Database, key: Buffer | undefined): number | undefined {
  const checkpoints = database.prepare<unknown[], Checkpoint>('SELECT * FROM journal_checkpoints ORDER BY seq').all();
  return checkpoints.find((checkpoint) => key === undefined || !isSigned(checkpoint, key))?.seq; // guard E-9
}

export function isSigned(checkpoint: Checkpoint, key: Buffer): boolean {
  return timingSafeEqual(checkpoint.signature, signatureOf(checkpoint, key));
}

/** HMAC-SHA-256 (RFC 2104) over what a checkpoint says. */
export function signatureOf(checkpoint: Omit<Checkpoint, 'signature'>, key: Buffer): Buffer {
  const { seq, hash, rows_pruned, at_ms } = checkpoint;
  return createHmac('sha256', key)
    .update(JSON.stringify([seq, hash.toString('hex'), rows_pruned, at_ms]))
    .digest();
}

/** Reads the hashes of a journal by the numbers of its rows, also while a daemon uses it. A database that cannot be read has none. */
export function readHashes(path: string): { hashOf(seq: number): string | undefined; close(): void } | undefined {
  const database = new Database(path, { readonly: true, fileMustExist: true });
  try {
    const one = database.prepare<unknown[], string>('SELECT lower(hex(hash)) FROM journal WHERE seq = ?').pluck();
    return { hashOf: (seq) => one.get(seq), close: () => database.close() };
  } catch {
    database.close();
    return undefined;
  }
}
