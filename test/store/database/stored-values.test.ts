import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { foundRow, rowsOf } from '../../../src/store/database/stored-values.ts';

const database = new Database(':memory:');
database.exec(`CREATE TABLE people (id TEXT, first_seen_at_ms INTEGER, paused_because TEXT, last_answer TEXT) STRICT;
  INSERT INTO people VALUES ('ann', 5, NULL, '{"is_kept":[1,null]}'), ('bob', 7, '{"not":"read"}', NULL)`);
const stored = (where: string) => database.prepare<[], object>(`SELECT * FROM people ${where}`);

test('columns become members, NULL is no member, and only the named columns are read as JSON', () => {
  const rows = rowsOf(stored('ORDER BY id').all(), ['last_answer']);
  expect(rows).toStrictEqual([
    { id: 'ann', firstSeenAtMs: 5, lastAnswer: { is_kept: [1, null] } },
    { id: 'bob', firstSeenAtMs: 7, pausedBecause: '{"not":"read"}' },
  ]);
});

test('a row that is not there is nothing', () => {
  expect(foundRow(stored(`WHERE id = 'eve'`).get())).toBeUndefined();
});
