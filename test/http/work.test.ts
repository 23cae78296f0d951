import { expect, test } from 'vitest';
import type { HttpLimits } from '../../src/http/limits.ts';
import { workClockMs } from '../../src/http/work-clock.ts';
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

test('a requester whose calls took too much time is refused, told for how long, and others are served', async () => {
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

function burn(processorMs: number): void {
  const endMs = workClockMs() + processorMs;
  while (workClockMs() < endMs);
}

/** A list of the user eve that is built in three slices of 20 ms. `between` is called after each. */
function sliceLists(rig: Rig, between: () => Promise<unknown> = async () => undefined): string[] {
  const events: string[] = [];
  rig.services.tasks.list = async (userId, _filter, { turn }) => {
    for (let slice = 1; slice <= 3; slice += 1) {
      events.push(`${userId} ${slice}`);
      burn(20);
      await turn?.pause();
      await between();
    }
    return { items: ['{"a":1}', '{"b":"ä"}'], nextCursor: null };
  };
  return events;
}

test('a list that is built in slices keeps its turn in the lane, and lets other calls be served between two slices', async () => {
  const { rig } = await started({});
  const events = sliceLists(rig, async () => {
    events.push((await rig.call('GET /health')).status === 200 ? 'health' : 'no health');
  });
  const list = (userId: string) => fetch(`${rig.url}/api/tee/tasks`, { headers: { 'x-user-id': userId } });
  const answers = await Promise.all([list('ann'), list('bob')]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const [first, second] = events[0]?.startsWith('ann') ? ['ann', 'bob'] : ['bob', 'ann'];
  const slices = [1, 2, 3].flatMap((slice) => [slice, 'health']);
  const of = (user: string | undefined) => slices.map((each) => (each === 'health' ? each : `${user} ${each}`));
  expect(events).toEqual([...of(first), ...of(second)]);
});

test('the items of a list are sent as they are, with the type and the length of JSON', async () => {
  const { rig } = await started({});
  sliceLists(rig);
  const ask = (method: string) =>
    fetch(`${rig.url}/api/tee/tasks?colour=blue`, { method, headers: { 'x-user-id': 'ann' } });
  const answer = await ask('GET');
  const text = await answer.text();
  expect(JSON.parse(text)).toEqual({
    items: [{ a: 1 }, { b: 'ä' }],
    nextCursor: null,
    notices: [expect.stringMatching(/colour/)],
  });
  const lengthBytes = String(Buffer.byteLength(text));
  for (const { headers } of [answer, await ask('HEAD')])
    expect([headers.get('content-type'), headers.get('content-length')]).toEqual([
      'application/json; charset=utf-8',
      lengthBytes,
    ]);
});

test('a requester is charged for every slice of its call', async () => {
  // The slices take 60 ms, each of them 20.
  const { rig, read } = await started({ perUserMs: 45 });
  sliceLists(rig);
  const list = () => rig.call('GET /api/tee/tasks', { userId: 'eve' });
  expect((await fetch(`${rig.url}/api/tee/tasks`, { headers: { 'x-user-id': 'eve' } })).status).toBe(200);
  expect(await list()).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  expect(await read('ann')).toMatchObject({ status: 200 });
});

test('a requester is charged for processor time, and not for time in which the thread waits for a disk', async () => {
  const { rig, read } = await started({ perUserMs: 40 });
  const blocked = new Int32Array(new SharedArrayBuffer(4));
  rig.services.tasks.list = async (userId) => {
    if (userId === 'eve') burn(50);
    else Atomics.wait(blocked, 0, 0, 100);
    return { items: [], nextCursor: null };
  };
  const list = (userId: string) => rig.call('GET /api/tee/tasks', { userId });
  for (const userId of ['ann', 'eve']) expect(await list(userId)).toMatchObject({ status: 200 });
  expect(await read('ann')).toMatchObject({ status: 200 });
  expect(await read('eve')).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
});

test('a call that waits after its work is not charged for that, and leaves the lane to the next caller', async () => {
  const { rig, read } = await started({ perUserMs: 300 });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  rig.services.tasks.list = async (userId, _filter, { turn }) => {
    await turn?.pause();
    turn?.end();
    if (userId === 'eve') await released;
    return { items: [], nextCursor: null };
  };
  const list = (userId: string) => rig.call('GET /api/tee/tasks', { userId });
  const waiting = list('eve');
  expect(await list('ann')).toMatchObject({ status: 200 });
  setTimeout(release, 600);
  expect(await waiting).toMatchObject({ status: 200 });
  expect(await read('eve')).toMatchObject({ status: 200 });
});

test('a list that fails leaves the lane to the next caller', async () => {
  const { rig } = await started({});
  rig.services.tasks.list = async (_userId, _filter, { turn }) => {
    await turn?.pause();
    throw new Error('broken');
  };
  const list = () => rig.call('GET /api/tee/tasks', { userId: 'ann' });
  for (let call = 0; call < 2; call += 1) expect(await list()).toMatchObject({ status: 500 });
});

test.each([
  [50, false],
  [51, true],
])('a list of %d items, asked for while another caller has the lane, waits: %s', async (limit, waits) => {
  const { rig } = await started({});
  const held = Promise.withResolvers<undefined>();
  const begun = Promise.withResolvers<undefined>();
  rig.services.tasks.list = async (_userId, _filter, { turn }) => {
    await turn?.pause();
    begun.resolve(undefined);
    await held.promise;
    return { items: [], nextCursor: null };
  };
  const slow = rig.call('GET /api/tee/tasks', { userId: 'eve' });
  await begun.promise;
  const ended: string[] = [];
  const list = rig.call(`GET /api/tee/devices?limit=${limit}`, { userId: 'ann' }).then(() => ended.push('list'));
  const sentAfter = () => rig.call('GET /api/tee/devices?limit=1', { userId: 'bob' });
  if (waits) for (let calls = 0; calls < 5; calls += 1) await sentAfter();
  else await list;
  ended.push('other');
  held.resolve(undefined);
  await Promise.all([slow, list]);
  expect(ended).toEqual(waits ? ['other', 'list'] : ['list', 'other']);
});
