import { hash } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import type { StreamEvent } from '../../contract/event.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import type { EventIds, JournalEvent } from '../../domain/journal/journal-event.ts';
import { storedJson } from '../database/stored-values.ts';

/** A row as it is passed on: with the kind and all the facts that it was stored with, of a newer build too. */
export type JournalRow = EventIds & { seq: number; atMs: number } & Pick<StreamEvent, 'kind' | 'metadata'>;

export type Journal = ReturnType<typeof createJournal>;

/** Before the first row. */
const GENESIS = Buffer.alloc(32);

/** The end of the chain: the latest row's sequence number and hash. */
export type Head = { seq: number; hash: Buffer };

/**
 * The append-only record of everything that happened. Each row's hash is SHA-256 over the previous hash and the row, so that
 * a row changed, taken out or moved shows.
 */
export function createJournal(
  database: Database,
  appended: (event: JournalEvent & { seq: number; atMs: number }) => void,
) {
  const insert = database.prepare(
    `INSERT INTO journal (seq, at_ms, kind, user_id, device_id, action_id, confirmation_id, metadata, previous_hash, hash)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const after = database.prepare<unknown[], StoredRow>('SELECT * FROM journal WHERE seq > ? ORDER BY seq LIMIT ?');
  const afterOfUser = database.prepare<unknown[], StoredRow>(
    `SELECT * FROM journal WHERE (user_id = ? OR kind IN ('device.online', 'device.offline')) AND seq > ?
     ORDER BY seq LIMIT ?`,
  );
  const from = database.prepare<unknown[], { seq: number; at_ms: number }>(
    'SELECT seq, at_ms FROM journal WHERE seq >= ? ORDER BY seq LIMIT 1',
  );
  const ofKinds = database.prepare<unknown[], StoredRow>(
    `SELECT * FROM journal WHERE seq >= :seq AND at_ms BETWEEN :fromMs AND :toMs
       AND kind IN (SELECT value FROM json_each(:kinds)) ORDER BY seq`,
  );
  /** The first row that is not older; found by halves, since no index knows the times. */
  function firstFrom(atMs: number): number {
    let [low, high] = [readBeginning(database).seq + 1, head.seq + 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((from.get(middle)?.at_ms ?? atMs) < atMs) low = middle + 1;
      else high = middle;
    }
    return low;
  }
  const listeners: (() => void)[] = [];
  let head = readHead(database);
  return {
    /** Appends one event and hands it to `appended`; only inside a write transaction. */
    append(atMs: number, event: JournalEvent): void {
      const { kind, userId = null, deviceId = null, actionId = null, confirmationId = null } = event;
      const metadata = canonicalJson(event.metadata ?? {});
      const seq = head.seq + 1;
      const rowHash = chain(head.hash, [seq, atMs, kind, userId, deviceId, actionId, confirmationId, metadata]);
      insert.run(seq, atMs, kind, userId, deviceId, actionId, confirmationId, metadata, head.hash, rowHash);
      head = { seq, hash: rowHash };
      appended({ ...event, seq, atMs });
    },
    head: (): Head => head,
    /** Forgets appends of a transaction that was rolled back. */
    rollBackTo(earlier: Head): void {
      head = earlier;
    },
    /** Rows after a sequence number, oldest first. */
    readAfter(seq: number, limit: number): JournalRow[] {
      return after.all(seq, limit).map(fromStored);
    },
    /** The rows of some kinds in a span of time, oldest first. */
    readBetween(span: { fromMs: number; toMs: number; kinds: readonly string[] }): JournalRow[] {
      const asked = { ...span, seq: firstFrom(span.fromMs), kinds: JSON.stringify(span.kinds) };
      return ofKinds.all(asked).map(fromStored);
    },
    /** Rows after a sequence number of one user and of everybody's devices. It also reads past the rows of others, so use it near the head only. */
    readAfterOfUser(userId: string, seq: number, limit: number): JournalRow[] {
      return afterOfUser.all(userId, seq, limit).map(fromStored);
    },
    /** Calls back after every transaction that appended something. */
    onCommitted: (listener: () => void): void => void listeners.push(listener),
    announce(): void {
      for (const listener of listeners) listener();
    },
  };
}

export type StoredRow = {
  seq: number;
  at_ms: number;
  kind: string;
  user_id: string | null;
  device_id: string | null;
  action_id: string | null;
  confirmation_id: string | null;
  metadata: string;
  previous_hash: Buffer;
  hash: Buffer;
};

/** The columns that `fromStored` reads: all but the hashes. */
export const TOLD_COLUMNS = 'seq, at_ms, kind, user_id, device_id, action_id, confirmation_id, metadata';

export function fromStored(row: Omit<StoredRow, 'hash' | 'previous_hash'>): JournalRow {
  return {
    seq: row.seq,
    atMs: row.at_ms,
    kind: row.kind,
    userId: row.user_id ?? undefined,
    deviceId: row.device_id ?? undefined,
    actionId: row.action_id ?? undefined,
    confirmationId: row.confirmation_id ?? undefined,
    metadata: storedJson<JournalRow['metadata']>(row.metadata),
  };
}

/** The latest row; without one, the last row that was pruned; without that, the beginning of the chain. */
export function readHead(database: Database): Head {
  const row = database.prepare<unknown[], Head>('SELECT seq, hash FROM journal ORDER BY seq DESC LIMIT 1').get();
  return row ?? readBeginning(database);
}

/** The head that the oldest row in the table follows: the last pruned row, or nothing. */
export function readBeginning(database: Database): Head {
  const ofPruned = database.prepare<unknown[], Head>(
    'SELECT seq, hash FROM journal_checkpoints ORDER BY seq DESC LIMIT 1',
  );
  return ofPruned.get() ?? { seq: 0, hash: GENESIS };
}

/** SHA-256 over the previous hash, in hexadecimal, and the row as a JSON array. */
export function chain(previous: Buffer, row: readonly (string | number | null)[]): Buffer {
  // Node makes a text and then a buffer from it in less time than a buffer of the hash's own.
  return Buffer.from(hash('sha256', previous.toString('hex') + JSON.stringify(row), 'hex'), 'hex'); // guard E-8
}
