import { expect, test } from 'vitest';
import { MIGRATIONS } from '../../../src/store/database/migrations.ts';
import { createStore } from '../../../src/store/store.ts';
import { open, temporaryFolder } from '../rig.ts';

/** A schema that lacks a table which a start does not read. */
const LACKING = [...MIGRATIONS, 'DROP TABLE idempotency_keys'];

test('a statement is compiled when it first runs, so one that does not fit the schema fails there', () => {
  const store = createStore({ path: temporaryFolder(), now: Date.now, migrations: LACKING });
  try {
    expect(() => store.idempotencyKeys.find('ann', 'key')).toThrow('no such table: idempotency_keys');
  } finally {
    store.close();
  }
});

test('every statement fits the schema of a new database, and one that does not is found at the opening', () => {
  expect(open({ compileAtOnce: true }).journal.head().seq).toBe(0);
  const options = { path: temporaryFolder(), now: Date.now, migrations: LACKING, compileAtOnce: true };
  expect(() => createStore(options)).toThrow('no such table: idempotency_keys');
});
