import {
  chmodSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect } from 'vitest';
import { fromOtherBuild } from './other-build.ts';
import { action, audit, device, forkHolder, open, temporaryFolder, test } from './rig.ts';

describe('R3: the data directory', () => {
  test('is private, and so is every file in it, WAL and SHM too', ({ store: { path } }) => {
    const modes = Object.fromEntries(readdirSync(path).map((name) => [name, statSync(join(path, name)).mode & 0o777]));
    expect(statSync(path).mode & 0o777).toBe(0o700);
    expect(modes).toEqual({
      artifacts: 0o700,
      'former-versions': 0o700,
      'handrail.db': 0o600,
      'handrail.db-shm': 0o600,
      'handrail.db-wal': 0o600,
      'handrail.lock': 0o600,
      'handrail.lock-journal': 0o600,
      'handrail.pid': 0o600,
      'journal.anchor': 0o600,
      'journal.key': 0o600,
      'protections.json': 0o600,
    });
  });

  test('that is loose is tightened', () => {
    const path = temporaryFolder();
    open({ path }).close();
    chmodSync(path, 0o755);
    chmodSync(join(path, 'handrail.db'), 0o644);
    open({ path });
    expect([path, join(path, 'handrail.db')].map((name) => statSync(name).mode & 0o777)).toEqual([0o700, 0o600]);
  });

  test('whose database is a link to somewhere else is refused', () => {
    const path = temporaryFolder();
    writeFileSync(join(path, 'elsewhere'), '');
    mkdirSync(join(path, 'data'));
    symlinkSync(join(path, 'elsewhere'), join(path, 'data', 'handrail.db'));
    expect(() => open({ path: join(path, 'data') })).toThrow(/is a symbolic link/);
  });

  test('whose database has a second name is refused', () => {
    const path = temporaryFolder();
    writeFileSync(join(path, 'elsewhere'), '');
    mkdirSync(join(path, 'data'));
    linkSync(join(path, 'elsewhere'), join(path, 'data', 'handrail.db'));
    expect(() => open({ path: join(path, 'data') })).toThrow(/has a second name/);
  });
});

describe('a single writer', () => {
  test('a second daemon is refused and told who holds the directory', async () => {
    const path = temporaryFolder();
    const holder = await forkHolder(path);
    expect(() => open({ path })).toThrow(`the daemon with process id ${holder.pid}`);
  });

  test('a holder that was killed holds nothing any more', async () => {
    const path = temporaryFolder();
    const holder = await forkHolder(path);
    await holder.kill();
    expect(audit(open({ path }))).toMatchObject({ valid: true });
  });
});

describe('the database file', () => {
  test('is new with the newest schema', ({ store: { path } }) => {
    const reader = new Database(join(path, 'handrail.db'), { readonly: true });
    expect(reader.pragma('user_version', { simple: true })).toBe(111);
    expect(reader.pragma('journal_mode', { simple: true })).toBe('wal');
    reader.close();
  });

  test('of a newer Handrail is refused and left alone', () => {
    const path = temporaryFolder();
    open({ path }).close();
    const newer = new Database(join(path, 'handrail.db'));
    newer.pragma('user_version = 999');
    newer.close();
    expect(() => open({ path })).toThrow(/written by a newer Handrail \(schema 999/);
    expect(existsSync(join(path, 'handrail.db'))).toBe(true);
  });

  test('that is no database is moved aside, and a new one takes its place', () => {
    const path = temporaryFolder();
    writeFileSync(
      join(path, 'handrail.db'),
      'this is not a database, it only looks like a file of some length'.repeat(20),
    );
    const store = open({ path });
    expect(store.renewal?.movedAside).toMatch(/handrail\.db\.unreadable-\d+$/);
    expect(existsSync(String(store.renewal?.movedAside))).toBe(true);
    expect(store.actions.live()).toEqual([]);
  });

  test('that takes the place of one moved aside is private at once, its WAL and SHM too', () => {
    const path = temporaryFolder();
    writeFileSync(join(path, 'handrail.db'), 'this is not a database either'.repeat(50));
    open({ path });
    const files = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isFile());
    const loose = files.filter(({ name }) => (statSync(join(path, name)).mode & 0o077) !== 0);
    expect(loose.map(({ name }) => name)).toEqual([]);
    expect(files.map(({ name }) => name)).toEqual(expect.arrayContaining(['handrail.db-shm', 'handrail.db-wal']));
  });
});

describe('a write', () => {
  test('that throws leaves neither row nor journal event, and the chain goes on', ({ store }) => {
    expect(() =>
      store.write('relaxed', () => {
        store.devices.insert(device());
        store.journal.append(1, { kind: 'device.registered', metadata: { type: 'linux', capabilities: [] } });
        throw new Error('on purpose');
      }),
    ).toThrow('on purpose');
    expect(store.devices.find('ann', device().id)).toBeUndefined();
    store.write('relaxed', () => store.journal.append(2, { kind: 'daemon.resumed' }));
    expect(store.journal.readAfter(0, 10).map(({ seq, kind }) => ({ seq, kind }))).toEqual([
      { seq: 1, kind: 'daemon.resumed' },
    ]);
    expect(audit(store)).toEqual({ valid: true, rows: 1 });
  });

  test('to a full disk is StorageUnavailable, is seen in health, and works again when there is room', ({ store }) => {
    const reader = new Database(join(store.path, 'handrail.db'));
    const pages = Number(reader.pragma('page_count', { simple: true }));
    reader.close();
    store.limitPages(pages + 1);
    expect(() => store.write('relaxed', () => fill(store))).toThrow(/did not take the change \(SQLITE_FULL\)/);
    expect(audit(store)).toEqual({ valid: true, rows: 0 });
    store.limitPages(1_000_000);
    expect(store.isWritable()).toBe(true);
    store.write('relaxed', () => store.journal.append(1, { kind: 'daemon.resumed' }));
  });
});

function fill(store: ReturnType<typeof open>): void {
  for (let count = 0; count < 10_000; count += 1)
    store.journal.append(count, { kind: 'insight.acknowledged', metadata: { insightId: 'x'.repeat(100) } });
}

describe('an action', () => {
  test('is changed only from where it was thought to be', ({ store }) => {
    const row = action();
    store.write('relaxed', () => {
      store.devices.insert(device());
      store.actions.insert(row);
    });
    expect(store.actions.update({ ...row, attempt: 3 }, { ...row, status: 'running' })).toBe(false);
    expect(store.actions.update(row, { ...row, status: 'running', attempt: 1 })).toBe(true);
    expect(store.actions.findById(row.id)).toMatchObject({ status: 'running', attempt: 1 });
  });

  test('that has ended cannot be brought back, not even by SQL', ({ store }) => {
    const row = action({ status: 'denied' });
    store.write('relaxed', () => {
      store.devices.insert(device());
      store.actions.insert(row);
    });
    expect(() => store.actions.update(row, { ...row, status: 'queued' })).toThrow('an action that has ended');
  });
});

describe('an approval', () => {
  test('is given once and consumed once', ({ store }) => {
    store.write('relaxed', () => {
      store.devices.insert(device());
      store.actions.insert(action());
      store.confirmations.insert({
        kind: 'action',
        id: 'cnf_1',
        actionId: action().id,
        userId: 'ann',
        actionDigest: 'd',
        nonce: 'n',
        policyVersion: '1',
        createdAtMs: 1,
        expiresAtMs: 2,
      });
    });
    expect(store.confirmations.consume('cnf_1', 3)).toBe(false);
    expect(store.confirmations.decide('cnf_1', { status: 'allowed', atMs: 3 })).toBe(true);
    expect(store.confirmations.decide('cnf_1', { status: 'denied', atMs: 4 })).toBe(false);
    expect(store.confirmations.consume('cnf_1', 5)).toBe(true);
    expect(store.confirmations.consume('cnf_1', 6)).toBe(false);
  });
});

describe('the journal', () => {
  function written() {
    const store = open();
    store.write('relaxed', () => {
      for (const kind of ['one', 'two', 'three', 'four'])
        store.journal.append(1, fromOtherBuild({ kind, userId: 'ann', metadata: { b: 1, a: kind } }));
    });
    const editor = new Database(join(store.path, 'handrail.db'));
    return { store, editor };
  }

  test('verifies as it was written, across a restart too', () => {
    const { store, editor } = written();
    editor.close();
    store.close();
    const again = open({ path: store.path });
    again.write('relaxed', () => again.journal.append(2, { kind: 'daemon.resumed' }));
    expect(audit(again)).toEqual({ valid: true, rows: 5 });
  });

  test('refuses to be changed or shortened', () => {
    const { editor } = written();
    expect(() => editor.exec("UPDATE journal SET kind = 'x'")).toThrow('append-only');
    expect(() => editor.exec('DELETE FROM journal WHERE seq = 4')).toThrow('append-only');
    editor.close();
  });

  test.each([
    ['edited', "UPDATE journal SET user_id = 'eve' WHERE seq = 2", 2],
    ['taken out', 'DELETE FROM journal WHERE seq = 3', 4],
    [
      'reordered',
      'UPDATE journal SET seq = 99 WHERE seq = 2; UPDATE journal SET seq = 2 WHERE seq = 3; UPDATE journal SET seq = 3 WHERE seq = 99',
      2,
    ],
  ])('shows where a row was %s behind its back', (_, sql, brokenAt) => {
    const { store, editor } = written();
    editor.exec('DROP TRIGGER journal_is_never_updated; DROP TRIGGER journal_is_never_deleted;');
    editor.exec(sql);
    editor.close();
    expect(audit(store)).toMatchObject({ valid: false, brokenAt });
  });

  test('shows that its tail was cut, since its end is anchored outside of the database', () => {
    const { store, editor } = written();
    store.anchor();
    editor.exec('DROP TRIGGER journal_is_never_deleted; DELETE FROM journal WHERE seq > 2');
    editor.close();
    expect(audit(store)).toEqual({ valid: false, rows: 2, brokenAt: 4, reason: 'rows at the end were cut off' });
  });

  const NO_ANCHOR = 'the file that anchors the end of the journal (journal.anchor) is missing';

  test('S3: shows that its anchor was removed', () => {
    const { store, editor } = written();
    editor.close();
    rmSync(join(store.path, 'journal.anchor'));
    expect(audit(store)).toEqual({ valid: false, rows: 4, brokenAt: 4, reason: NO_ANCHOR });
  });

  test('S3: shows that its anchor names an earlier end, unsigned', () => {
    const { store, editor } = written();
    store.anchor();
    const { hash } = editor.prepare<unknown[], { hash: Buffer }>('SELECT hash FROM journal WHERE seq = 2').get() ?? {};
    editor.exec('DROP TRIGGER journal_is_never_deleted; DELETE FROM journal WHERE seq > 2');
    editor.close();
    writeFileSync(join(store.path, 'journal.anchor'), JSON.stringify({ seq: 2, hash: hash?.toString('hex') }));
    const reason = 'the anchor of the journal is not signed with the key beside it (journal.key)';
    expect(audit(store)).toEqual({ valid: false, rows: 2, brokenAt: 2, reason });
  });

  test('S3: says for good that its anchor was removed before a start, though the store writes another', () => {
    const { store, editor } = written();
    editor.close();
    store.close();
    rmSync(join(store.path, 'journal.anchor'));
    const again = open({ path: store.path });
    again.anchor();
    expect(again.journal.readAfter(4, 10)).toMatchObject([
      { kind: 'journal.broken', metadata: { reason: NO_ANCHOR } },
      { kind: 'daemon.database_renewed' },
    ]);
    expect(audit(again)).toMatchObject({ valid: false, brokenAt: 5 });
  });

  test.each([
    ['with the anchor of today', false],
    ['without an anchor', true],
  ])('S3: shows that the database of an older day was put back %s', (_, withoutAnchor) => {
    const { store, editor } = written();
    editor.pragma('wal_checkpoint(TRUNCATE)');
    editor.close();
    const older = readFileSync(join(store.path, 'handrail.db'));
    store.write('relaxed', () => store.journal.append(2, { kind: 'daemon.resumed' }));
    store.close();
    for (const suffix of ['-wal', '-shm']) rmSync(join(store.path, `handrail.db${suffix}`), { force: true });
    writeFileSync(join(store.path, 'handrail.db'), older);
    if (withoutAnchor) rmSync(join(store.path, 'journal.anchor'));
    expect(audit(store)).toMatchObject({ valid: false, rows: 4 });
    const again = open({ path: store.path });
    expect(again.journal.readAfter(4, 10)).toMatchObject([
      { kind: 'journal.broken' },
      { kind: 'daemon.database_renewed' },
    ]);
    expect(audit(again)).toMatchObject({ valid: false });
  });

  test('S3: shows that the database of an older day was put back after it had gone on elsewhere', () => {
    const { store, editor } = written();
    store.anchor();
    editor.pragma('wal_checkpoint(TRUNCATE)');
    editor.close();
    const elsewhere = temporaryFolder();
    cpSync(store.path, elsewhere, { recursive: true });
    store.write('relaxed', () => store.journal.append(2, { kind: 'daemon.resumed' }));
    store.close();
    const copy = open({ path: elsewhere });
    copy.write('relaxed', () => copy.journal.append(2, { kind: 'daemon.paused' }));
    expect(audit(copy)).toMatchObject({ valid: true, rows: 5 });
    copy.close();
    for (const suffix of ['-wal', '-shm']) rmSync(join(store.path, `handrail.db${suffix}`), { force: true });
    cpSync(join(elsewhere, 'handrail.db'), join(store.path, 'handrail.db'));
    expect(audit(store)).toEqual({
      valid: false,
      rows: 5,
      brokenAt: 5,
      reason: 'the whole chain was written anew',
    });
  });

  test('S4: shows that all of its rows were removed, with the anchor, beside records', () => {
    const { store, editor } = written();
    store.write('relaxed', () => store.devices.insert(device()));
    editor.exec('DROP TRIGGER journal_is_never_deleted; DELETE FROM journal');
    editor.close();
    store.close();
    rmSync(join(store.path, 'journal.anchor'));
    const NO_ROWS = 'the journal is empty, though there are records of what happened';
    expect(audit(store)).toEqual({ valid: false, rows: 0, brokenAt: 0, reason: NO_ROWS });
    const again = open({ path: store.path });
    expect(again.journal.readAfter(0, 10)).toMatchObject([
      { kind: 'journal.broken', metadata: { reason: NO_ROWS } },
      { kind: 'daemon.database_renewed' },
    ]);
    expect(audit(again)).toMatchObject({ valid: false });
  });

  test.each([
    ['removed', (path: string) => rmSync(path), /^the key that signs the anchor of the journal .* is missing$/],
    ['replaced', (path: string) => writeFileSync(path, Buffer.alloc(32)), /is not signed with the key beside it/],
  ])(
    'S4: shows that its key was %s, though no checkpoint was signed with it, and says so for good',
    (_, spoil, why) => {
      const { store, editor } = written();
      editor.close();
      store.close();
      spoil(join(store.path, 'journal.key'));
      expect(audit(store)).toMatchObject({ valid: false, rows: 4, reason: expect.stringMatching(why) });
      const again = open({ path: store.path });
      again.anchor();
      expect(again.journal.readAfter(4, 10)).toMatchObject([
        { kind: 'journal.broken', metadata: { reason: expect.stringMatching(why) } },
        { kind: 'daemon.database_renewed' },
      ]);
      expect(audit(again)).toMatchObject({ valid: false });
    },
  );

  test('is valid while it has no row and no anchor, as a crash before the first row leaves it', () => {
    const path = temporaryFolder();
    open({ path }).close();
    rmSync(join(path, 'journal.anchor'));
    expect(audit({ path })).toEqual({ valid: true, rows: 0 });
    const again = open({ path });
    again.write('relaxed', () => again.journal.append(1, { kind: 'daemon.resumed' }));
    expect(audit(again)).toEqual({ valid: true, rows: 1 });
  });

  test('is valid after a crash between its first row and the next anchor', { timeout: 30_000 }, async () => {
    const path = temporaryFolder();
    const holder = await forkHolder(path, { appending: true });
    await holder.kill();
    expect(audit({ path })).toEqual({ valid: true, rows: 1 });
    expect(audit(open({ path }))).toEqual({ valid: true, rows: 1 });
  });

  test('shows that its anchor was spoiled', () => {
    const { store, editor } = written();
    editor.close();
    writeFileSync(join(store.path, 'journal.anchor'), 'not an anchor');
    expect(audit(store)).toMatchObject({ valid: false });
  });

  test('is verified by a thread of its own, too', async () => {
    const { store, editor } = written();
    editor.close();
    expect(await store.audit()).toEqual({ valid: true, rows: 4 });
  });

  test('can be pruned behind a signed checkpoint, and goes on verifying', ({ store }) => {
    store.write('relaxed', () => {
      for (const atMs of [1, 2, 3, 4]) store.journal.append(atMs, { kind: 'daemon.resumed' });
    });
    expect(store.pruneJournal(3)).toBe(2);
    expect(audit(store)).toEqual({ valid: true, rows: 2 });
    store.close();
    const again = open({ path: store.path });
    again.write('relaxed', () => again.journal.append(5, { kind: 'daemon.resumed' }));
    expect(audit(again)).toEqual({ valid: true, rows: 3 });
  });

  test('pruned to nothing goes on from its checkpoint', ({ store }) => {
    store.write('relaxed', () => store.journal.append(1, { kind: 'daemon.resumed' }));
    store.pruneJournal(2);
    store.close();
    const again = open({ path: store.path });
    again.write('relaxed', () => again.journal.append(5, { kind: 'daemon.resumed' }));
    expect(again.journal.readAfter(0, 10).map(({ seq }) => seq)).toEqual([2]);
    expect(audit(again)).toEqual({ valid: true, rows: 1 });
  });

  test('shows a checkpoint that somebody else wrote', () => {
    const { store, editor } = written();
    store.pruneJournal(0);
    editor.exec(
      'INSERT INTO journal_checkpoints SELECT 2, hash, 2, 1, zeroblob(32) FROM journal WHERE seq = 2; DELETE FROM journal WHERE seq <= 2',
    );
    editor.close();
    expect(audit(store)).toMatchObject({ valid: false, brokenAt: 2, reason: 'a checkpoint is not signed by us' });
  });
});
