import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { StorageUnavailable } from '../../../src/store/database/database.ts';
import type { Store } from '../../../src/store/store.ts';
import { open, temporaryFolder } from '../rig.ts';
import { databaseIn } from './damage.ts';

const append = (store: Store) => store.write('relaxed', () => store.journal.append(1, { kind: 'daemon.resumed' }));

function lockedStore() {
  const store = open({ path: temporaryFolder() });
  const other = new Database(databaseIn(store.path));
  onTestFinished(() => void other.close());
  other.exec('BEGIN IMMEDIATE');
  return { store, unlock: () => other.exec('ROLLBACK') };
}

/** With a wait of seconds for each, a thousand attempts would take longer than any test may. */
test('a store that another program has locked refuses a thousand changes after one short wait', () => {
  const { store } = lockedStore();
  for (let attempt = 0; attempt < 1_000; attempt += 1) expect(() => append(store)).toThrow(StorageUnavailable);
  expect([store.isWritable(), store.condition()]).toEqual([false, 'failing']);
});

test('a store that was locked takes changes as soon as it is not', () => {
  const { store, unlock } = lockedStore();
  expect(() => append(store)).toThrow(/SQLITE_BUSY.*Another program has it locked/);
  unlock();
  append(store);
  expect([store.journal.head().seq, store.condition()]).toEqual([1, 'ok']);
});
