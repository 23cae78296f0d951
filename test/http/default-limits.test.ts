import { expect, test } from 'vitest';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../../src/contract/list.ts';
import { DEFAULT_LIMITS, LARGE_BODY_BYTES, MCP_BODY_BYTES, UNLIMITED } from '../../src/http/limits.ts';
import { startRig } from './rig.ts';

const MIB = 1024 * 1024;

/** The other tests of limits set their own, small ones. These are the ones that a daemon has. */
test('a daemon has the limits that the README and the attack table promise', () => {
  const { streams: _, ...limits } = DEFAULT_LIMITS;
  expect(limits).toEqual({
    headersTimeoutMs: 10_000,
    requestTimeoutMs: 30_000,
    keepAliveTimeoutMs: 60_000,
    timeoutCheckMs: 1_000,
    writeTimeoutMs: 10_000,
    closeGraceMs: 2_000,
    maxHeaderBytes: 16_384,
    maxBodyBytes: 65_536,
    maxParameterLength: 128,
    maxConnections: 256,
    pipelined: { perConnection: 1_000, inAll: 4_000 },
    unreadBytes: { perUser: 16 * MIB, inAll: 48 * MIB },
    writesPerMinute: { perUser: 600, inAll: 1_800 },
    readsPerMinute: { perUser: 6_000, inAll: 18_000 },
    held: { perUser: 4, inAll: 64 },
    heldByDefault: { perUser: 64, inAll: 128 },
  });
  expect([LARGE_BODY_BYTES, MCP_BODY_BYTES]).toEqual([MIB / 4, MIB]);
});

test('a benchmark may lift the limits on how often and how many at once, and no others', () => {
  expect(Object.keys(UNLIMITED).toSorted()).toEqual([
    'held',
    'heldByDefault',
    'maxConnections',
    'readsPerMinute',
    'writesPerMinute',
  ]);
});

test('a list has fifty items where the caller does not say, and five hundred at most', () => {
  expect([DEFAULT_LIMIT, MAX_LIMIT]).toEqual([50, 500]);
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
