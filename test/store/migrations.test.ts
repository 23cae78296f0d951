import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { MIGRATIONS } from '../../src/store/migrations.ts';
import { action, audit, device, open, temporaryFolder } from './rig.ts';

/** The schema from before a confirmation could be about a plan. */
const BEFORE_PLANS = MIGRATIONS.length - 1;

test('confirmations from before there were plans are kept as they are, and can be consumed once', () => {
  const path = temporaryFolder();
  const first = open({ path });
  first.write('relaxed', () => {
    first.devices.insert(device());
    first.actions.insert(action());
  });
  first.close();
  const database = new Database(`${path}/handrail.db`);
  database.exec('DROP TABLE confirmation_steps; ALTER TABLE actions DROP COLUMN plan_id; DROP TABLE confirmations;');
  const foundation = String(MIGRATIONS[0]);
  const from = foundation.indexOf('CREATE TABLE confirmations');
  database.exec(foundation.slice(from, foundation.indexOf('CREATE TABLE artifacts')));
  database.exec(`
    CREATE INDEX confirmations_by_digest ON confirmations (user_id, action_digest, decided_at_ms);
    INSERT INTO confirmations (id, action_id, user_id, action_digest, nonce, policy_version, status, created_at_ms, expires_at_ms)
      VALUES ('cnf_1', 'act_1', 'ann', 'd', 'n', '1', 'pending', 1, 2);
    PRAGMA user_version = ${BEFORE_PLANS}`);
  database.close();

  const store = open({ path });
  expect(existsSync(`${path}/handrail.db.before-schema-${BEFORE_PLANS + 1}`)).toBe(true);
  expect(store.confirmations.pending()).toEqual([
    {
      id: 'cnf_1',
      actionId: 'act_1',
      userId: 'ann',
      actionDigest: 'd',
      nonce: 'n',
      policyVersion: '1',
      status: 'pending',
      createdAtMs: 1,
      expiresAtMs: 2,
    },
  ]);
  expect(store.confirmations.decide('cnf_1', { status: 'allowed', atMs: 3 })).toBe(true);
  expect([store.confirmations.consume('cnf_1', 4), store.confirmations.consume('cnf_1', 5)]).toEqual([true, false]);
  expect(store.confirmations.lastDenialAtMs('ann', 'd')).toBeUndefined();
  expect(audit(store)).toMatchObject({ valid: true });
});
