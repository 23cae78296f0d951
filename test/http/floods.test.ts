import { expect, onTestFinished, test, vi } from 'vitest';
import { PATIENCE } from '../runner/patience.ts';
import { openFakeTarget } from './attacks/fake-target.ts';
import { floodAttacks } from './attacks/flood-attacks.ts';
import { get, post } from './attacks/target.ts';
import { sendRaw } from './raw-http.ts';
import { REGISTRATION, signIn, startRig } from './rig.ts';
import { connectAgent, startWhole, type WholeRig } from './whole-rig.ts';

floodAttacks(
  async () => {
    const { rig, target } = await openFakeTarget({});
    onTestFinished(() => rig.app.close());
    return target;
  },
  {
    connections: 256,
    writesPerUser: 600,
    writesInAll: 1_800,
    readsPerUser: 6_000,
    heldPerUser: 4,
    heldInAll: 64,
  },
);

test('the person can still sign in and decide while all writes are used up', async () => {
  const one = { perUser: 1, inAll: 1 };
  const rig = await startRig({
    rateLimits: 'on',
    limits: { writesPerMinute: { perUser: 2, inAll: 1 }, readsPerMinute: one },
  });
  const write = post(rig, '/api/tee/actions/act_none/cancel', { userId: 'eve' });
  const read = get(rig, '/api/tee/devices', { userId: 'eve' });
  const statuses = [];
  for (const bytes of [write, write, read, read]) statuses.push((await sendRaw(rig, bytes)).status);
  expect(statuses).toEqual([404, 429, 200, 429]);
  const { authorization } = await signIn(rig);
  const list = await rig.call('GET /api/console/confirmations', { headers: { authorization } });
  expect(list.status).toBe(200);
});

test('answers without end, on every connection and in every place, do not keep the person out', async () => {
  const rig = await startRig({
    rateLimits: 'on',
    limits: { maxConnections: 4, held: { perUser: 4, inAll: 4 } },
  });
  const hold = () => fetch(`${rig.url}/api/tee/events`, { headers: { 'x-user-id': 'eve' } });
  const held = [await hold(), await hold(), await hold(), await hold()];
  expect(held.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const { authorization } = await signIn(rig);
  const stream = await fetch(`${rig.url}/api/console/events`, { headers: { authorization } });
  const list = await rig.call('GET /api/console/confirmations', { headers: { authorization } });
  expect([stream.status, list.status]).toEqual([200, 200]);
  await stream.body?.cancel();
  await Promise.all(held.map(({ body }) => body?.cancel().catch(() => undefined)));
});

test('others who take every place of calls that wait leave the person theirs', async () => {
  const rig = await startRig({ rateLimits: 'on', limits: { held: { perUser: 1, inAll: 1 } } });
  const { authorization } = await signIn(rig);
  const open = (path: string, who: Record<string, string>) => fetch(`${rig.url}${path}`, { headers: who });
  const streams = [
    await open('/api/tee/events', { 'x-user-id': 'eve' }),
    await open('/api/tee/events', { 'x-user-id': 'bob' }),
    await open('/api/console/events', { authorization }),
  ];
  expect(streams.map(({ status }) => status)).toEqual([200, 429, 200]);
  expect(streams[1]?.headers.get('retry-after')).toBe('5');
  await Promise.all(streams.map(({ body }) => body?.cancel()));
});

test('a place of a call that waited is free again when it has ended', async () => {
  const rig = await startRig({ limits: { held: { perUser: 1, inAll: 1 } }, rateLimits: 'on' });
  const targetDeviceId = await rig.registerDevice('ann');
  const body = { targetDeviceId, actionType: 'DescribeScreen', parameters: {} };
  for (let round = 0; round < 3; round += 1) {
    const answer = await rig.call('POST /api/tee/actions', { userId: 'ann', body, headers: { prefer: 'wait=1' } });
    expect(answer.status).toBe(200);
  }
});

test('calls held although they did not ask for it are bounded for each user and in all; the rest is answered at once', async () => {
  const rig = await startWhole({ limits: { heldByDefault: { perUser: 2, inAll: 3 } } });
  const agent = await connectAgent(rig);
  const waits = { actionType: 'Wait', parameters: { durationMs: 1_000 } };
  const plain = async (userId: string) => {
    const headers = { 'x-user-id': userId };
    const device = await rig.call('POST /api/tee/devices/register', { headers, body: REGISTRATION });
    return rig.call('POST /api/tee/actions', { headers, body: { targetDeviceId: device.body.id, ...waits } });
  };
  const first = plain('eve');
  const requestId = await agent.asked();
  void plain('eve');
  await vi.waitUntil(() => actionsIn(rig) === 2, PATIENCE);
  expect(await plain('eve')).toMatchObject({ status: 202, body: { actionType: 'Wait' } });
  void plain('ann');
  await vi.waitUntil(() => actionsIn(rig) === 4, PATIENCE);
  expect(await plain('bob')).toMatchObject({ status: 202 });
  agent.answer(requestId);
  expect(await first).toMatchObject({ status: 200, body: { status: 'success' } });
  void plain('bob');
  await vi.waitUntil(() => actionsIn(rig) === 6, PATIENCE);
  expect(await plain('carl')).toMatchObject({ status: 202 });
});

test('A12: made-up ids that take every stream leave a known requester those that are reserved', async () => {
  const rig = await startWhole({ limits: { held: { perUser: 4, inAll: 4 } } });
  rig.services.console.profiles.assign('ann', 'assist');
  const open = (userId: string) => fetch(`${rig.url}/api/tee/events`, { headers: { 'x-user-id': userId } });
  const streams = [await open('eve1'), await open('eve2'), await open('eve3'), await open('eve4')];
  streams.push(await open('eve5'), await open('ann'), await open('ann'));
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429, 200, 429]);
  await Promise.all(streams.map(({ body }) => body?.cancel()));
});

test('A12: made-up ids that use up all writes and reads leave known requesters theirs', async () => {
  const limits = { perUser: 2, inAll: 2 };
  const rig = await startWhole({ limits: { writesPerMinute: limits, readsPerMinute: limits } });
  rig.services.console.profiles.assign('ann', 'assist');
  const write = (userId: string) =>
    rig.call('POST /api/tee/actions/act_none/cancel', { headers: { 'x-user-id': userId } });
  const read = (userId: string) => rig.call('GET /api/tee/devices', { headers: { 'x-user-id': userId } });
  const statuses: number[] = [];
  for (const userId of ['eve1', 'eve2', 'eve3', 'ann', 'ann', 'ann'])
    statuses.push((await write(userId)).status, (await read(userId)).status);
  expect(statuses).toEqual([404, 200, 404, 200, 429, 429, 404, 200, 404, 200, 429, 429]);
});

test('calls without the key of a locked id use up nothing of its requester', async () => {
  const limits = { perUser: 2, inAll: 2 };
  const rig = await startWhole({ limits: { writesPerMinute: limits, readsPerMinute: limits } });
  rig.services.devices.register('ann', REGISTRATION);
  const made = rig.services.console.requesters.createKey('ann');
  const write = (headers: Record<string, string>) =>
    rig.call('POST /api/tee/actions/act_none/cancel', { headers: { 'x-user-id': 'ann', ...headers } });
  const statuses: number[] = [];
  for (let count = 0; count < 3; count += 1) statuses.push((await write({})).status);
  for (let count = 0; count < 2; count += 1)
    statuses.push((await write({ authorization: `Bearer ${made.key}` })).status);
  expect(statuses).toEqual([401, 401, 429, 404, 404]);
});

function actionsIn({ store }: WholeRig): number {
  return store.actions.page({ userId: null, beforeId: 'act_~', limit: 100 }).length;
}
