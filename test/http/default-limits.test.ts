import { expect, test } from 'vitest';
import { UNLIMITED } from '../../src/http/limits.ts';
import { startRig } from './rig.ts';

test('a benchmark may lift the limits on how often and how many at once, and no others', () => {
  expect(Object.keys(UNLIMITED).toSorted()).toEqual([
    'held',
    'heldByDefault',
    'maxConnections',
    'readsPerMinute',
    'writesPerMinute',
  ]);
});

test('limits on how often count the calls of a minute', async () => {
  const rig = await startRig({ rateLimits: 'on', limits: { readsPerMinute: { perUser: 1, inAll: 10 } } });
  const read = () => rig.call('GET /api/tee/devices', { userId: 'ann' });
  expect((await read()).status).toBe(200);
  const refused = await read();
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(45);
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
});
