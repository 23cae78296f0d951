import { expect, test } from 'vitest';
import { createStore } from '../../src/store/store.ts';
import { newDataFolder } from '../store/data-folder.ts';
import { edit, tearLeafOf } from '../store/database/damage.ts';
import { startWhole } from './whole-rig.ts';

const DEVICE = { type: 'linux', name: 'Desk', capabilities: { canOpenApps: true } };
const MANY = 300;

/** A data folder in whose database a page of the table of idempotency keys is torn. */
function tornFolder(): string {
  const path = newDataFolder('handrail-torn-');
  createStore({ path, now: Date.now }).close();
  edit(path, (database) => {
    database.pragma('foreign_keys = OFF');
    const insert = database.prepare(
      'INSERT INTO idempotency_keys (user_id, key, fingerprint, action_id, created_at_ms) VALUES (?, ?, ?, ?, ?)',
    );
    for (let number = 0; number < MANY; number += 1)
      insert.run('ann', `key-${1_000 + number}`, 'f'.repeat(64), `act_${number}`, Date.parse('2026-01-01'));
  });
  tearLeafOf(path, 'idempotency_keys');
  return path;
}

test('a repeated key on a torn page is refused as unavailable storage, and health says that the store is corrupt', async () => {
  const rig = await startWhole({ path: tornFolder() });
  const headers = { 'x-user-id': 'ann' };
  const { body } = await rig.call('POST /api/tee/devices/register', { headers, body: DEVICE });
  const wait = { targetDeviceId: body.deviceId, actionType: 'Wait', parameters: { durationMs: 0 } };
  expect((await rig.call('GET /health')).body).toMatchObject({ checks: { store: 'ok' } });
  const statuses = new Set<number>();
  for (let number = 0; number < MANY; number += 1) {
    const withKey = { ...headers, 'idempotency-key': `key-${1_000 + number}` };
    statuses.add((await rig.call('POST /api/tee/actions', { headers: withKey, body: wait })).status);
  }
  // Those that can be read were used for another request.
  expect([...statuses].toSorted()).toEqual([422, 503]);
  expect(await rig.call('GET /health')).toMatchObject({ status: 503, body: { checks: { store: 'corrupt' } } });
});
