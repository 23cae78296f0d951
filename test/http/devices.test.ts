import { expect } from 'vitest';
import { REGISTRATION, startRig, test, textIn } from './rig.ts';

test('a registration answers 201 with the record, and the very same one again 200 with the same id', async () => {
  const rig = await startRig();
  const first = await rig.call('POST /api/tee/devices/register', { userId: 'ann', body: REGISTRATION });
  const again = await rig.call('POST /api/tee/devices/register', { userId: 'ann', body: REGISTRATION });
  expect(first.status).toBe(201);
  expect(first.body).toMatchObject({ ...REGISTRATION, ownerId: 'ann', deviceId: textIn(first.body, 'id') });
  expect(first.headers.get('location')).toBe(`/api/tee/devices/${textIn(first.body, 'id')}`);
  expect(again.status).toBe(200);
  expect(again.body).toEqual(first.body);
});

const CAPABILITIES = ['canOpenApps', 'canAccessFiles', 'canCaptureScreen', 'canRunScripts', 'canControlInput'];

test('a user lists, reads and deletes their own devices', async ({ rig }) => {
  const id = await rig.registerDevice('ann');
  const list = await rig.call('GET /api/tee/devices', { userId: 'ann' });
  const one = await rig.call(`GET /api/tee/devices/${id}`, { userId: 'ann' });
  expect(list.body).toEqual({ items: [one.body], nextCursor: null });
  const removed = await rig.call(`DELETE /api/tee/devices/${id}`, { userId: 'ann' });
  expect([removed.status, removed.body]).toEqual([204, new Uint8Array()]);
  const gone = await rig.call(`GET /api/tee/devices/${id}`, { userId: 'ann' });
  expect(gone).toMatchObject({ status: 404, body: { code: 'device_not_found' } });
});

test('a body that is not as documented is refused with a pointer to each place', async ({ rig }) => {
  const body = { type: 'Mac', name: 7, capabilities: { canFly: true, canOpenApps: 'yes' }, 'a/b': 1 };
  const answer = await rig.call('POST /api/tee/devices/register', { userId: 'ann', body });
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({
    code: 'validation_failed',
    errors: expect.arrayContaining([
      {
        pointer: '/type',
        message: 'must be a lower-case word of at most 32 letters, digits and hyphens, such as macos',
      },
      { pointer: '/name', message: 'must be a string' },
      { pointer: '/capabilities/canFly', message: `is not known here: known are ${CAPABILITIES.join(', ')}` },
      { pointer: '/capabilities/canOpenApps', message: 'must be true or false' },
      { pointer: '/a~1b', message: 'is not known here: known are type, name, capabilities, machine' },
    ]),
  });
  const missing = await rig.call('POST /api/tee/devices/register', { userId: 'ann', body: {} });
  expect(missing.body).toMatchObject({
    errors: [
      { pointer: '/type', message: 'is required' },
      { pointer: '/name', message: 'is required' },
      { pointer: '/capabilities', message: 'is required' },
    ],
  });
});
