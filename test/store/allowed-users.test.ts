import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { MIGRATIONS } from '../../src/store/database/migrations.ts';

test('the approvals of a user are looked up by their own index, so that unanswered prompts cost nothing', () => {
  const database = new Database(':memory:');
  for (const step of MIGRATIONS) database.exec(step);
  const plan = database
    .prepare(`EXPLAIN QUERY PLAN SELECT 1 FROM confirmations WHERE user_id = 'ann' AND status = 'allowed' LIMIT 1`)
    .all() as { detail: string }[];
  database.close();
  expect(plan.map(({ detail }) => detail)).toEqual([
    expect.stringContaining('USING COVERING INDEX confirmations_allowed'),
  ]);
});
