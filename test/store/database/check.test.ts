import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkDatabase } from '../../../src/store/database/check.ts';
import type { Store } from '../../../src/store/store.ts';
import { action, audit, device, open, temporaryFolder } from '../rig.ts';
import { databaseIn, edit, tearLeafOf } from './damage.ts';

const MANY = 400;

function directory(): string {
  const store = open({ path: temporaryFolder() });
  store.write('durable', () => {
    store.devices.insert(device());
    for (let number = 0; number < MANY; number += 1)
      store.actions.insert(action({ id: `act_${1_000 + number}`, status: 'success', details: 'x'.repeat(100) }));
    store.journal.append(1, { kind: 'daemon.resumed' });
  });
  store.close();
  edit(store.path, () => undefined);
  return store.path;
}

/** Removes what an index says of some rows, which no program does by itself. */
function spoilIndex(path: string): void {
  edit(path, (database) => {
    database.unsafeMode(true);
    database.pragma('writable_schema = ON');
    const sql = String(database.prepare(`SELECT sql FROM sqlite_master WHERE name = 'actions_by_user'`).pluck().get());
    const set = database.prepare(`UPDATE sqlite_master SET sql = ? WHERE name = 'actions_by_user'`);
    set.run(`${sql} WHERE id < 'act_1100'`);
    database.pragma('writable_schema = RESET');
    database.exec('REINDEX actions_by_user');
    database.pragma('writable_schema = ON');
    set.run(sql);
    database.pragma('writable_schema = RESET');
  });
}

const healthOf = (store: Store) => [store.isCorrupt(), store.condition()];

test('a sound database has no findings', async () => {
  const path = directory();
  expect(checkDatabase(databaseIn(path))).toEqual({ findings: [], indexes: [] });
  const store = open({ path });
  expect(await store.check()).toEqual({ findings: [], indexes: [], isWhole: true });
  expect(healthOf(store)).toEqual([false, 'ok']);
});

test.each(['actions', 'actions_by_user'])('a torn page of %s is found, and the next start mends it', async (name) => {
  const path = directory();
  tearLeafOf(path, name);
  const store = open({ path });
  expect(await store.check()).toMatchObject({
    findings: expect.arrayContaining([expect.any(String)]),
    indexes: [],
    isWhole: false,
  });
  expect(healthOf(store)).toEqual([true, 'corrupt']);
  expect(existsSync(join(path, 'handrail.db.damaged'))).toBe(true);
  store.close();
  const again = open({ path });
  expect(again.renewal).toMatchObject({ lost: name === 'actions' ? ['actions'] : [] });
  expect(await again.check()).toMatchObject({ isWhole: true, findings: [] });
});

test('an index that lacks rows is made anew while the database is in use', async () => {
  const path = directory();
  spoilIndex(path);
  const store = open({ path });
  expect(await store.check()).toEqual({
    findings: expect.arrayContaining([expect.stringContaining('actions_by_user')]),
    indexes: ['actions_by_user'],
    isWhole: true,
  });
  expect([checkDatabase(databaseIn(path)).findings, ...healthOf(store)]).toEqual([[], false, 'ok']);
  expect(existsSync(join(path, 'handrail.db.damaged'))).toBe(false);
});

test('a read that meets a torn page is noted: the store is corrupt from then on', () => {
  const path = directory();
  tearLeafOf(path, 'actions');
  const store = open({ path });
  expect(store.condition()).toBe('ok');
  const readAll = () => Array.from({ length: MANY }, (_, number) => store.actions.findById(`act_${1_000 + number}`));
  let failure: unknown;
  try {
    readAll();
  } catch (error) {
    failure = error;
  }
  store.noteFailure(failure);
  expect(healthOf(store)).toEqual([true, 'corrupt']);
});

test('a start that meets a torn page behind the first rows of a table builds the database anew', () => {
  const path = temporaryFolder();
  const before = open({ path });
  before.write('durable', () => {
    for (let row = 0; row < MANY; row += 1) before.journal.append(row, { kind: 'daemon.resumed' });
  });
  before.close();
  tearLeafOf(path, 'journal', 'last');
  const store = open({ path });
  expect(store.renewal).toMatchObject({ lost: ['journal'] });
  expect(store.journal.readAfter(0, 1)).toMatchObject([{ seq: 1 }]);
  expect(audit(store)).toMatchObject({ valid: false });
});
