import { expect, test } from 'vitest';
import type { HttpLimits } from '../../src/http/limits.ts';
import { type Rig, startRig, textIn } from './rig.ts';

const UNBOUNDED = Number.POSITIVE_INFINITY;
const NONE: HttpLimits['work'] = {
  perUserMs: UNBOUNDED,
  inAllMs: UNBOUNDED,
  inAllForLightMs: UNBOUNDED,
  lightMs: 0,
};
/** Less than any call takes. */
const HARDLY_ANY_MS = 0.000_001;

async function started(work: Partial<HttpLimits['work']>, rateLimits: 'on' | 'off' = 'on') {
  const rig = await startRig({ rateLimits, limits: { work: { ...NONE, ...work } } });
  const read = (userId: string) => rig.call('GET /api/tee/devices', { userId });
  return { rig, read };
}

async function signIn(rig: Rig): Promise<Record<string, string>> {
  const headers = { origin: rig.url };
  const session = await rig.call('POST /api/console/session', { headers, body: { code: rig.services.oneUseCode } });
  return { ...headers, authorization: `Bearer ${textIn(session.body, 'key')}` };
}

test('a requester whose calls took too much time is refused for a while, and others are served', async () => {
  const { rig, read } = await started({ perUserMs: HARDLY_ANY_MS });
  expect(await read('eve')).toMatchObject({ status: 200 });
  const refused = await read('eve');
  expect(refused).toMatchObject({
    status: 429,
    body: {
      code: 'rate_limited',
      detail: expect.stringMatching(/took more time.*Try again in \d+ s; ask for shorter/),
    },
  });
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(10);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await read('ann')).toMatchObject({ status: 200 });
  expect(await rig.call('GET /health')).toMatchObject({ status: 200 });
});

test('a body that does not fit its schema is charged for, too', async () => {
  const { rig, read } = await started({ perUserMs: HARDLY_ANY_MS });
  const answer = await rig.call('POST /api/tee/actions', { userId: 'eve', body: { wrong: true } });
  expect(answer).toMatchObject({ status: 400 });
  expect(await read('eve')).toMatchObject({ status: 429 });
});

test('when all requesters together took too much, new ids are refused, and the person signs in and is served', async () => {
  const { rig, read } = await started({ inAllForLightMs: HARDLY_ANY_MS });
  expect(await read('made-up-1')).toMatchObject({ status: 200 });
  expect(await read('made-up-2')).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  const headers = await signIn(rig);
  for (let call = 0; call < 3; call += 1)
    expect(await rig.call('GET /api/console/confirmations', { headers })).toMatchObject({ status: 200 });
});

test('what the person does counts for nobody', async () => {
  const { rig, read } = await started({ inAllForLightMs: 0.5 });
  const headers = await signIn(rig);
  for (let call = 0; call < 50; call += 1) await rig.call('GET /api/console/activity', { headers });
  expect(await read('ann')).toMatchObject({ status: 200 });
});

test('where the rate limits are lifted, work is not limited either', async () => {
  const { read } = await started({ perUserMs: HARDLY_ANY_MS }, 'off');
  for (let call = 0; call < 3; call += 1) expect(await read('eve')).toMatchObject({ status: 200 });
});

test('lists and long bodies of many callers are answered one after the other, and every one is', async () => {
  const { rig } = await started({});
  const list = () => rig.call('GET /api/tee/tasks', { userId: 'ann' });
  const long = () => rig.call('POST /api/tee/tasks', { userId: 'ann', body: { text: 'x'.repeat(20_000) } });
  const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? list() : long())));
  expect(answers.map(({ status }) => status)).toEqual([200, 400, 200, 400, 200, 400, 200, 400, 200, 400]);
});
