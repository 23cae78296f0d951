import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test, vi } from 'vitest';
import { signatureOf } from '../../src/store/journal/audit.ts';
import { fromOtherBuild } from './other-build.ts';
import { audit, open } from './rig.ts';

type Stored = Record<string, string | number | null> & { previous_hash: Buffer; hash: Buffer };

const FIRST = {
  kind: 'action.allowed',
  userId: 'ann',
  deviceId: 'dev_1',
  actionId: 'act_1',
  confirmationId: 'cnf_1',
  metadata: { b: ['c'], a: 1 },
};

function written() {
  const store = open();
  store.write('relaxed', () => {
    store.journal.append(1_700_000_000_000, fromOtherBuild(FIRST));
    store.journal.append(1_700_000_000_001, { kind: 'daemon.stopped' });
  });
  return { store, editor: new Database(join(store.path, 'handrail.db')) };
}

/** The hash as the README describes it, written down here a second time so that a change of the product shows. */
function hashOf(previousHash: string, row: readonly unknown[]): string {
  return createHash('sha256')
    .update(`${previousHash}${JSON.stringify(row)}`)
    .digest('hex');
}

/** Replaces all rows by a chain that is sound in itself. */
function rewriteWhole(editor: Database.Database): void {
  editor.exec('DROP TRIGGER journal_is_never_updated; DROP TRIGGER journal_is_never_deleted;');
  const update = editor.prepare('UPDATE journal SET user_id = ?, previous_hash = ?, hash = ? WHERE seq = ?');
  let previous = '00'.repeat(32);
  for (const row of editor.prepare('SELECT * FROM journal ORDER BY seq').all() as Stored[]) {
    const { seq, at_ms, kind, device_id, action_id, confirmation_id, metadata } = row;
    const hash = hashOf(previous, [seq, at_ms, kind, 'eve', device_id, action_id, confirmation_id, metadata]);
    update.run('eve', Buffer.from(previous, 'hex'), Buffer.from(hash, 'hex'), seq);
    previous = hash;
  }
}

test('the hashes of two rows are those of a reference implementation', () => {
  const { store, editor } = written();
  const rows = editor.prepare('SELECT hash FROM journal ORDER BY seq').all() as Stored[];
  editor.close();
  expect(rows.map(({ hash }) => hash.toString('hex'))).toEqual([
    'f38ef5026a4c9b67c7b26f0d9f9ff87643fbf745ba2d1d3d5efbc6481e7188d6',
    'cad4e5f88e5dc44be64ae5a9f1352f2432a51e0431a766dbffb130ba7420f6c2',
  ]);
  expect(audit(store)).toEqual({ valid: true, rows: 2 });
});

test.each([
  'seq = 9',
  'at_ms = 1',
  "kind = 'action.denied'",
  "user_id = 'eve'",
  "device_id = 'dev_2'",
  "action_id = 'act_2'",
  "confirmation_id = 'cnf_2'",
  'confirmation_id = NULL',
  "metadata = '{}'",
  'previous_hash = hash',
  'hash = zeroblob(32)',
])('the audit finds a row that was changed to %s', (change) => {
  const { store, editor } = written();
  editor.exec(`DROP TRIGGER journal_is_never_updated; UPDATE journal SET ${change} WHERE seq = 1`);
  editor.close();
  expect(audit(store)).toMatchObject({ valid: false });
});

test('the audit finds a journal that was written anew from its first row, by its anchor', () => {
  const { store, editor } = written();
  store.anchor();
  rewriteWhole(editor);
  editor.close();
  expect(audit(store)).toMatchObject({ valid: false, reason: 'the whole chain was written anew' });
});

test('the audit does not believe a checkpoint when the key that signed it is gone', () => {
  const { store, editor } = written();
  editor.close();
  store.pruneJournal(1_700_000_000_001);
  store.anchor();
  expect(audit(store)).toEqual({ valid: true, rows: 1 });
  rmSync(join(store.path, 'journal.key'));
  expect(audit(store)).toMatchObject({ valid: false, reason: 'a checkpoint is not signed by us' });
});

test('a durable write waits for the disk, and a relaxed one after it does not', () => {
  const pragma = vi.spyOn(Database.prototype, 'pragma');
  try {
    const store = open();
    store.write('durable', () => store.journal.append(1, { kind: 'agent.start_requested' }));
    const database = pragma.mock.contexts.at(-1);
    if (!(database instanceof Database)) throw new Error('the store switched no database');
    const level = (durability: 'durable' | 'relaxed') =>
      store.write(durability, () => database.pragma('synchronous', { simple: true }));
    // SQLite: 1 is NORMAL, 2 is FULL.
    expect([level('durable'), level('relaxed'), level('durable')]).toEqual([2, 1, 2]);
  } finally {
    pragma.mockRestore();
  }
});

test('the signature of a checkpoint is that of a reference implementation', () => {
  const key = Buffer.from('00112233445566778899aabbccddeeff', 'hex');
  const checkpoint = { seq: 7, hash: Buffer.alloc(32, 0xab), rows_pruned: 6, at_ms: 1_700_000_000_000 };
  expect(signatureOf(checkpoint, key).toString('hex')).toBe(
    'fffbf8d4540f83a40c5c937cae3816b54caad4119dd1d57e395f513eeccd342d',
  );
});
