import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, vi } from 'vitest';
import { PATIENCE } from '../runner/patience.ts';
import { requestText } from './raw-http.ts';
import { type Call, type Rig, startRig, test, textIn } from './rig.ts';

async function submit(rig: Rig, actionType: string, more: Call & { body?: object } = {}) {
  const targetDeviceId = await rig.registerDevice('ann');
  const body = { targetDeviceId, actionType, parameters: {}, ...more.body };
  return rig.call('POST /api/tee/actions', { userId: 'ann', ...more, body });
}

async function decide(rig: Rig, decision: 'allow' | 'deny'): Promise<void> {
  const [confirmation] = await vi.waitUntil(() => {
    const waiting = rig.services.console.confirmations.list();
    return waiting.length > 0 && waiting;
  }, PATIENCE);
  if (confirmation === undefined) throw new Error('nothing waits for the person');
  const { id, nonce, actionDigest } = confirmation;
  rig.services.console.confirmations.decide(id, { decision, scope: 'once', nonce, actionDigest });
}

test('an action that ran answers 200 with its record', async ({ rig }) => {
  const answer = await submit(rig, 'DescribeScreen');
  expect(answer).toMatchObject({
    status: 200,
    body: { status: 'success', actionType: 'DescribeScreen', userId: 'ann' },
  });
  const read = await rig.call(`GET /api/tee/actions/${textIn(answer.body, 'actionId')}`, { userId: 'ann' });
  expect(read.body).toEqual(answer.body);
});

test('an action that waits for a person answers 202 and says where it is', async ({ rig }) => {
  const { status, headers, body } = await submit(rig, 'OpenApp');
  expect([status, textIn(body, 'status')]).toEqual([202, 'awaiting_confirmation']);
  expect(headers.get('location')).toBe(`/api/tee/actions/${textIn(body, 'actionId')}`);
});

test.each([
  ['allow', 'success'],
  ['deny', 'denied'],
] as const)('a call that prefers to wait is answered once the person says %s', async (decision, status) => {
  const rig = await startRig();
  const answering = submit(rig, 'OpenApp', { headers: { prefer: 'wait=30' } });
  await decide(rig, decision);
  const { headers, ...answer } = await answering;
  expect(answer).toMatchObject({ status: 200, body: { status } });
  expect(headers.get('preference-applied')).toBe('wait=30');
});

test('a blocked action is a 403 problem that carries its id', async ({ rig }) => {
  const answer = await submit(rig, 'RunScript');
  expect(answer).toMatchObject({
    status: 403,
    body: { code: 'action_blocked', actionId: expect.stringMatching(/^act_/) },
  });
  expect(rig.services.refusals).toEqual([]);
});

test('a dry run answers 200 with the verdict and does nothing', async ({ rig }) => {
  const answer = await submit(rig, 'DescribeScreen', { body: { dryRun: true } });
  expect(answer).toMatchObject({ status: 200, body: { dryRun: true, verdict: 'allow' } });
  expect(rig.services.executions()).toBe(0);
});

test('a replay says that it is one, and the same key with another body is refused', async ({ rig }) => {
  const headers = { 'idempotency-key': 'k1' };
  const first = await submit(rig, 'DescribeScreen', { headers });
  const replay = await submit(rig, 'DescribeScreen', { headers });
  const other = await submit(rig, 'TakeScreenshot', { headers });
  expect(first.headers.get('idempotent-replayed')).toBe(null);
  expect(replay.headers.get('idempotent-replayed')).toBe('true');
  expect(replay.body).toEqual(first.body);
  expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
  expect(rig.services.executions()).toBe(1);
});

test('cancelling answers 202, and 409 once it has ended', async ({ rig }) => {
  const { body } = await submit(rig, 'OpenApp');
  const path = `POST /api/tee/actions/${textIn(body, 'actionId')}/cancel`;
  expect(await rig.call(path, { userId: 'ann' })).toMatchObject({ status: 202, body: { status: 'cancelled' } });
  expect(await rig.call(path, { userId: 'ann' })).toMatchObject({ status: 409, body: { code: 'already_terminal' } });
});

test('a call without a body takes none, an empty one, or an empty object', async ({ rig }) => {
  const statuses = [];
  for (const body of [undefined, {}, { force: true }]) {
    const action = await submit(rig, 'OpenApp');
    const answer = await rig.call(`POST /api/tee/actions/${textIn(action.body, 'actionId')}/cancel`, {
      userId: 'ann',
      body,
    });
    statuses.push(answer.status);
  }
  expect(statuses).toEqual([202, 202, 400]);
});

test('a caller who hangs up is no longer waited for', async ({ rig }) => {
  const targetDeviceId = await rig.registerDevice('ann');
  const submitted = vi.spyOn(rig.services.actions, 'submit');
  const body = JSON.stringify({ targetDeviceId, actionType: 'OpenApp', parameters: {} });
  const socket = connect(rig.port, rig.host);
  const headers = [
    'x-user-id: ann',
    'content-type: application/json',
    'prefer: wait=60',
    `content-length: ${body.length}`,
  ];
  socket.write(requestText('POST /api/tee/actions', [`Host: 127.0.0.1:${rig.port}`, ...headers], body));
  const [call] = await vi.waitUntil(() => submitted.mock.calls.length > 0 && submitted.mock.calls, PATIENCE);
  const gone = call?.[0].gone;
  expect(gone?.aborted).toBe(false);
  socket.destroy();
  if (gone?.aborted === false) await once(gone, 'abort');
  expect(gone?.aborted).toBe(true);
});

test('a closing server answers the calls it holds, and does not hold them to their end', async ({ rig }) => {
  const answering = submit(rig, 'OpenApp', { headers: { prefer: 'wait=60' } });
  await vi.waitUntil(() => rig.services.console.confirmations.list().length > 0, PATIENCE);
  const held = new Promise((resolve) => setTimeout(resolve, 50_000, 'held').unref());
  expect(await Promise.race([held, rig.app.close()])).not.toBe('held');
  expect(await answering).toMatchObject({ status: 202, body: { status: 'awaiting_confirmation' } });
});

test('the list of actions is filtered, and what the query cannot mean is said', async ({ rig }) => {
  const { body: done } = await submit(rig, 'DescribeScreen');
  const { body: waiting } = await submit(rig, 'OpenApp');
  const list = async (query: string) => (await rig.call(`GET /api/tee/actions${query}`, { userId: 'ann' })).body;
  expect(await list('')).toEqual({ items: [waiting, done], nextCursor: null });
  expect(await list('?limit=1')).toEqual({ items: [waiting], nextCursor: '1' });
  expect(await list('?limit=9999&since=15m')).toEqual({ items: [waiting, done], nextCursor: null });
  expect(await list('?status=success')).toEqual({ items: [done], nextCursor: null });
  expect(await list('?status=done')).toEqual({
    items: [],
    nextCursor: null,
    notices: [expect.stringContaining('Nothing has the value "done"')],
  });
  expect(await list(`?deviceId=${textIn(done, 'targetDeviceId')}`)).toEqual({
    items: [waiting, done],
    nextCursor: null,
  });
  expect(await list('?deviceId=nope')).toEqual({
    items: [],
    nextCursor: null,
    notices: ['No device "nope" is registered for this user; GET /api/tee/devices lists those that are.'],
  });
  expect(await list('?colour=red&since=2999-01-01')).toEqual({
    items: [],
    nextCursor: null,
    notices: [
      'The parameter "colour" is not known here and was ignored. Known are limit, cursor, status, deviceId, since.',
    ],
  });
  expect(await list('?statu=success&since=2999-01-01')).toMatchObject({
    notices: [expect.stringContaining('was ignored. Did you mean status?')],
  });
  expect(await list('?status=sucess,faild')).toMatchObject({
    notices: [expect.stringContaining('Nothing has the value "sucess", "faild". Did you mean success, failed?')],
  });
});

test.each([
  '2026-07-29',
  '2026-07-29T12:00Z',
  '2026-07-29T12:00:00%2B02:00',
  '2026-07-29T12:00:00+02:00',
  '1785000000000',
  '0',
  '90d',
])('since=%s is a moment', async (since) => {
  const rig = await startRig();
  expect((await rig.call(`GET /api/tee/actions?since=${since}`, { userId: 'ann' })).status).toBe(200);
});

test.each([
  'limit=abc',
  'limit=0',
  'limit=-1',
  'limit=1.5',
  'limit=',
  'limit=1&limit=2',
  'since=yesterday',
  'since=2026-13-01',
  'since=2026-07-29T12:00:00',
  'since=2026-07-29%2012:00',
  'since=1785000000',
])('the query ?%s cannot be read and is refused', async (query) => {
  const rig = await startRig();
  const answer = await rig.call(`GET /api/tee/actions?${query}`, { userId: 'ann' });
  expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  expect(answer.body).toMatchObject({ errors: [{ pointer: `/${query.split('=')[0]}` }] });
});

test('a caller that reads one action or task may wait for its end, as long as there are places', async () => {
  const rig = await startRig({ rateLimits: 'on', limits: { held: { perUser: 0, inAll: 0 } } });
  const { body: action } = await submit(rig, 'DescribeScreen');
  const line = `GET /api/tee/actions/${textIn(action, 'actionId')}`;
  const read = (prefer: string) => rig.call(line, { userId: 'ann', headers: { prefer } });
  expect(await read('respond-async')).toMatchObject({ status: 200, body: action });
  expect((await read('wait=0')).headers.get('preference-applied')).toBe('wait=0');
  expect(await read('wait=5')).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
});

test('the catalogue of action types can be read without a user id', async ({ rig }) => {
  expect(await rig.call('GET /api/tee/action-types')).toMatchObject({ status: 200, body: { nextCursor: null } });
});
