import { createHash } from 'node:crypto';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { Action } from '../../src/contract/action.ts';
import { startRig } from './rig.ts';

test('an artifact is read as its bytes and can be deleted', async () => {
  const rig = await startRig();
  const targetDeviceId = await rig.registerDevice('ann');
  const body = { targetDeviceId, actionType: 'TakeScreenshot', parameters: {} };
  const { body: action } = await rig.call('POST /api/tee/actions', { userId: 'ann', body });
  const artifact = Value.Parse(Action, action).artifacts?.[0];
  const read = await rig.call(`GET ${artifact?.url}`, { userId: 'ann' });
  expect(read.status).toBe(200);
  expect(Object.fromEntries(read.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-length': String(artifact?.sizeBytes),
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
  expect(createHash('sha256').update(bytesOf(read.body)).digest('hex')).toBe(artifact?.sha256);
  expect((await rig.call(`DELETE ${artifact?.url}`, { userId: 'ann' })).status).toBe(204);
  const gone = await rig.call(`GET ${artifact?.url}`, { userId: 'ann' });
  expect(gone).toMatchObject({ status: 404, body: { code: 'artifact_not_found' } });
});

function bytesOf(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) return body;
  throw new Error(`bytes expected, ${JSON.stringify(body)} came`);
}
