import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { createTransactions } from '../../../src/store/database/database.ts';

function start() {
  const database = new Database(':memory:');
  onTestFinished(() => void database.close());
  database.exec('CREATE TABLE noted (what TEXT)');
  const insert = database.prepare('INSERT INTO noted VALUES (?)');
  return {
    database,
    transact: createTransactions(database),
    note: (what: string) => void insert.run(what),
    noted: () => database.prepare('SELECT what FROM noted').pluck().all(),
  };
}

function fail(): never {
  throw new Error('on purpose');
}

test('work that throws leaves nothing, and the next work is stored', () => {
  const { database, transact, note, noted } = start();
  const broken = () =>
    transact(() => {
      note('lost');
      fail();
    });
  expect(broken).toThrow('on purpose');
  expect(database.inTransaction).toBe(false);
  expect(
    transact(() => {
      note('kept');
      return 'done';
    }),
  ).toBe('done');
  expect(noted()).toEqual(['kept']);
});

test('work inside of other work that throws is taken back alone where the outer work goes on', () => {
  const { transact, note, noted } = start();
  transact(() => {
    note('before');
    const inner = () =>
      transact(() => {
        note('lost');
        fail();
      });
    expect(inner).toThrow('on purpose');
    transact(() => note('inside'));
    note('after');
  });
  expect(noted()).toEqual(['before', 'inside', 'after']);
});

test('work that is not done when it returns is taken back', () => {
  const { transact, note, noted } = start();
  expect(() => transact(async () => note('lost'))).toThrow('Transaction function cannot return a promise');
  expect(noted()).toEqual([]);
});

test('work inside of other work is taken back with it', () => {
  const { transact, note, noted } = start();
  const outer = () =>
    transact(() => {
      transact(() => note('inside'));
      fail();
    });
  expect(outer).toThrow('on purpose');
  expect(noted()).toEqual([]);
});
