import { expect, test } from 'vitest';
import { startWhole } from './whole-rig.ts';

const ann = { 'x-user-id': 'ann' };

test('a stream that was opened without a key ends when the person locks its user id, and shows nothing after that', async () => {
  const rig = await startWhole();
  const body = { type: 'linux', name: 'Desk', capabilities: {} };
  await rig.call('POST /api/tee/devices/register', { headers: ann, body });
  const stream = await fetch(`${rig.url}/api/tee/events`, { headers: ann });
  const headers = await rig.signIn();
  const made = await rig.call('POST /api/console/users/ann/key', { headers });
  const authorization = `Bearer ${String(made.body.key)}`;
  const genuine = { ...ann, authorization };
  const registered = await rig.call('POST /api/tee/devices/register', {
    headers: genuine,
    body: { ...body, name: 'Another desk' },
  });
  expect([stream.status, made.status, registered.status]).toEqual([200, 200, 201]);
  expect(await stream.text()).toBe(': connected\n\n');
});
