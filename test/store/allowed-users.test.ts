import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { SCHEMA } from '../../src/store/database/migrations.ts';
import { action, device, open } from './rig.ts';

test('the approvals of a user are looked up by their own index, so that unanswered prompts cost nothing', () => {
  const database = new Database(':memory:');
  database.exec(SCHEMA);
  const plan = database
    .prepare(`EXPLAIN QUERY PLAN SELECT 1 FROM confirmations WHERE user_id = 'ann' AND status = 'allowed' LIMIT 1`)
    .all() as { detail: string }[];
  database.close();
  expect(plan.map(({ detail }) => detail)).toEqual([
    expect.stringContaining('USING COVERING INDEX confirmations_allowed'),
  ]);
});

test('a user that asked for something counts as allowed from the moment on at which the person allows it, not denies it', () => {
  const store = open();
  store.write('relaxed', () => {
    store.devices.insert(device());
    for (const id of ['act_1', 'act_2']) {
      store.actions.insert(action({ id, status: 'awaiting_confirmation' }));
      store.confirmations.insert({
        kind: 'action',
        id: id.replace('act', 'cnf'),
        actionId: id,
        userId: 'ann',
        actionDigest: 'd',
        nonce: 'n',
        policyVersion: '1',
        createdAtMs: 1,
        expiresAtMs: 2,
      });
    }
  });
  const decide = (id: string, status: 'allowed' | 'denied') =>
    store.write('relaxed', () => store.confirmations.decide(id, { status, atMs: 2 }));
  expect(store.confirmations.hasAllowed('ann')).toBe(false);
  decide('cnf_1', 'denied');
  expect(store.confirmations.hasAllowed('ann')).toBe(false);
  decide('cnf_2', 'allowed');
  expect(store.confirmations.hasAllowed('ann')).toBe(true);
  expect(store.confirmations.hasAllowed('bob')).toBe(false);
});
