import { expect, test } from 'vitest';
import { startRig } from './rig.ts';

test('until the work of the last run is taken up, /health is answered at once and every other call waits', async () => {
  const ready = Promise.withResolvers<void>();
  const rig = await startRig({ ready: ready.promise });
  const answered: string[] = [];
  const asked = ['/api/tee/devices', '/api/console/status', '/login'].map(async (path) => {
    const { status } = await fetch(`${rig.url}${path}`, { headers: { 'x-user-id': 'ann' } });
    answered.push(path);
    return status;
  });
  for (let count = 0; count < 5; count += 1) expect((await fetch(`${rig.url}/health`)).status).toBe(200);
  expect(answered).toEqual([]);
  ready.resolve();
  const [devices, ...others] = await Promise.all(asked);
  expect(devices).toBe(200);
  expect(others).toHaveLength(2);
  expect((await fetch(`${rig.url}/api/tee/devices`, { headers: { 'x-user-id': 'ann' } })).status).toBe(200);
});
