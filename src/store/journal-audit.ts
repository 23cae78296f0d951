import { createHmac, timingSafeEqual } from 'node:crypto';
import Database from 'better-sqlite3';
import type { AuditResult } from '../contract/console.ts';
import type { DataDirectory } from './data-directory.ts';
import { chain, type Head, readBeginning, type StoredRow } from './journal.ts';
import { readAnchor } from './journal-anchor.ts';
import { readKey } from './journal-key.ts';

export type Checkpoint = { seq: number; hash: Buffer; rows_pruned: number; at_ms: number; signature: Buffer };

/**
 * Whether the journal of a data directory is as it was written: every row follows from the one before, the row that the
 * anchor outside of the database names is there, and what was pruned was pruned by us. Reads only; a daemon may be running.
 */
export function auditJournal(directory: Pick<DataDirectory, 'database' | 'anchor' | 'key'>): AuditResult {
  // Read before the rows, so that rows which come meanwhile are no surprise.
  const anchor = readAnchor(directory.anchor);
  const database = new Database(directory.database, { readonly: true, fileMustExist: true });
  try {
    const forged = forgedCheckpoint(database, readKey(directory.key));
    if (forged !== undefined)
      return { valid: false, rows: 0, brokenAt: forged, reason: 'a checkpoint is not signed by us' };
    const walked = walk(database);
    return walked.valid ? (missingAnchor(database, anchor, walked.rows) ?? walked) : walked;
  } finally {
    database.close();
  }
}

function walk(database: Database.Database): AuditResult {
  let previous: Head = readBeginning(database);
  let rows = 0;
  for (const row of database.prepare('SELECT * FROM journal ORDER BY seq').iterate() as Iterable<StoredRow>) {
    if (!follows(row, previous)) {
      return { valid: false, rows, brokenAt: row.seq, reason: 'a row does not follow from the one before it' };
    }
    if (row.kind === BROKEN) {
      return { valid: false, rows, brokenAt: row.seq, reason: 'rows were missing when the daemon was started' };
    }
    previous = { seq: row.seq, hash: row.hash };
    rows += 1;
  }
  return { valid: true, rows };
}

function follows(row: StoredRow, previous: Head): boolean {
  const { seq, at_ms, kind, user_id, device_id, action_id, confirmation_id, metadata } = row;
  const expected = chain(previous.hash, [seq, at_ms, kind, user_id, device_id, action_id, confirmation_id, metadata]);
  return seq === previous.seq + 1 && row.previous_hash.equals(previous.hash) && row.hash.equals(expected);
}

/** The kind of the row that stands for ever where a daemon found the end of its journal missing. */
export const BROKEN = 'journal.broken';

/** What is wrong at the end of the chain, if the row that the anchor names is not there. */
export function missingAnchor(
  database: Database.Database,
  anchor: Head | undefined,
  rows: number,
): AuditResult | undefined {
  if (anchor === undefined || anchor.seq <= readBeginning(database).seq) return undefined;
  const row = database.prepare('SELECT hash FROM journal WHERE seq = ?').get(anchor.seq) as
    | { hash: Buffer }
    | undefined;
  if (row?.hash.equals(anchor.hash)) return undefined;
  const reason = row === undefined ? 'rows at the end were cut off' : 'the whole chain was written anew';
  return { valid: false, rows, brokenAt: anchor.seq, reason };
}

function forgedCheckpoint(database: Database.Database, key: Buffer | undefined): number | undefined {
  const checkpoints = database.prepare('SELECT * FROM journal_checkpoints ORDER BY seq').all() as Checkpoint[];
  return checkpoints.find((checkpoint) => key === undefined || !isSigned(checkpoint, key))?.seq;
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
