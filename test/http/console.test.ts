import { expect } from 'vitest';
import { type Rig, signIn, startRig, test } from './rig.ts';

async function askForAnApp(rig: Rig) {
  const targetDeviceId = await rig.registerDevice('ann');
  const body = { targetDeviceId, actionType: 'OpenApp', parameters: { appName: 'Notes' } };
  await rig.call('POST /api/tee/actions', { userId: 'ann', body });
  const [confirmation] = rig.services.console.confirmations.list();
  if (confirmation === undefined) throw new Error('nothing waits for the person');
  return confirmation;
}

test('a one-use code is exchanged for a session, once', async ({ rig }) => {
  const exchange = () =>
    rig.call('POST /api/console/session', { headers: { origin: rig.url }, body: { code: rig.services.oneUseCode } });
  expect(await exchange()).toMatchObject({ status: 200, body: { key: expect.any(String) } });
  expect(await exchange()).toMatchObject({ status: 401, body: { code: 'console_session_required' } });
});

test('the person sees what waits, shows it, holds the button and decides', async ({ rig }) => {
  const headers = await signIn(rig);
  const { id, nonce, actionDigest } = await askForAnApp(rig);
  const path = `/api/console/confirmations/${id}`;
  const list = await rig.call('GET /api/console/confirmations', { headers });
  expect(list).toMatchObject({ status: 200, body: { items: [{ id, status: 'pending' }], nextCursor: null } });
  expect(await rig.call(`POST ${path}/shown`, { headers })).toMatchObject({ status: 200, body: { id } });
  const hold = await rig.call(`POST ${path}/hold`, { headers, body: { phase: 'press' } });
  expect(hold).toMatchObject({ status: 200, body: { id } });
  const body = { decision: 'allow', scope: 'once', nonce, actionDigest };
  const decision = await rig.call(`POST ${path}/decision`, { headers, body });
  expect(decision).toMatchObject({ status: 200, body: { status: 'success' } });
});

const decision = { decision: 'allow', scope: 'once', nonce: 'n', actionDigest: 'd' };

test('whoever reads without the session key is sent to sign in, and has not tried to answer for the person', async () => {
  const rig = await startRig();
  for (const path of ['status', 'grants', 'profiles', 'confirmations']) {
    const answer = await rig.call(`GET /api/console/${path}`);
    expect([path, answer]).toMatchObject([path, { status: 401, body: { code: 'console_session_required' } }]);
  }
});

test.each([
  ['no key', {}, 403, 'approval_requires_person'],
  ['a user id', { 'x-user-id': 'ann' }, 403, 'approval_requires_person'],
  ['a user id beside a good key', { 'x-user-id': 'ann', key: 'good' }, 403, 'approval_requires_person'],
  ['a wrong key', { authorization: 'Bearer wrong' }, 401, 'console_session_required'],
  ['another scheme', { authorization: 'Basic d2hvOm1l' }, 401, 'console_session_required'],
  ['no Origin', { origin: '', key: 'good' }, 403, 'origin_not_allowed'],
  ['a foreign Origin', { origin: 'http://localhost:5173', key: 'good' }, 403, 'origin_not_allowed'],
])('with %s nobody decides', async (_what, { key, origin, ...rest }: Record<string, string>, status, code) => {
  const rig = await startRig();
  const session = await signIn(rig);
  const { id } = await askForAnApp(rig);
  const headers = {
    ...(key !== undefined && { authorization: String(session.authorization) }),
    ...(origin !== '' && { origin: origin ?? rig.url }),
    ...rest,
  };
  for (const path of ['shown', 'extend', 'hold', 'decision']) {
    const answer = await rig.call(`POST /api/console/confirmations/${id}/${path}`, { headers, body: decision });
    expect(answer).toMatchObject({ status, body: { code } });
  }
  expect(rig.services.console.confirmations.list()).toMatchObject([{ id, status: 'pending' }]);
  expect(rig.services.executions()).toBe(0);
  expect(rig.services.refusals).toEqual([code, code, code, code]);
});

test.each([
  ['no key', {}],
  ['a wrong key', { authorization: 'Bearer wrong' }],
  ['a user id beside a good key', { 'x-user-id': 'ann', key: 'good' }],
])('with %s nobody reads what waits', async (_what, { key, ...rest }: Record<string, string>) => {
  const rig = await startRig();
  const session = await signIn(rig);
  const headers = { ...rest, ...(key !== undefined && { authorization: String(session.authorization) }) };
  const answer = await rig.call('GET /api/console/confirmations', { headers });
  expect(answer).toMatchObject({ status: 401, body: { code: 'console_session_required' } });
});

test('signing out ends the session and the stream it had open', async ({ rig }) => {
  const headers = await signIn(rig);
  const stream = await fetch(`${rig.url}/api/console/events`, { headers });
  expect(stream.status).toBe(200);
  expect(await rig.call('DELETE /api/console/session', { headers })).toMatchObject({ status: 204 });
  expect(await stream.text()).toBe(': connected\n\n');
  for (const line of ['GET /api/console/confirmations', 'GET /api/console/events', 'DELETE /api/console/session']) {
    const answer = await rig.call(line, { headers });
    expect([line, answer]).toMatchObject([line, { status: 401, body: { code: 'console_session_required' } }]);
  }
});

test.each([
  ['no key', {}, 403, 'approval_requires_person'],
  ['a user id beside a good key', { 'x-user-id': 'ann', key: 'good' }, 403, 'approval_requires_person'],
  ['no Origin', { key: 'good', origin: '' }, 403, 'origin_not_allowed'],
])(
  'with %s nobody signs the person out',
  async (_what, { key, origin, ...rest }: Record<string, string>, status, code) => {
    const rig = await startRig();
    const { authorization } = await signIn(rig);
    const headers = {
      ...rest,
      ...(origin === '' ? {} : { origin: rig.url }),
      ...(key !== undefined && { authorization: String(authorization) }),
    };
    expect(await rig.call('DELETE /api/console/session', { headers })).toMatchObject({ status, body: { code } });
    const list = await rig.call('GET /api/console/confirmations', {
      headers: { authorization: String(authorization) },
    });
    expect(list.status).toBe(200);
  },
);

test('the list has the first prompt whole and rows for the others, and each can be fetched whole while it waits', async () => {
  const rig = await startRig();
  const person = await signIn(rig);
  const targetDeviceId = await rig.registerDevice('ann');
  for (const appName of ['Notes', 'Mail'])
    await rig.call('POST /api/tee/actions', {
      userId: 'ann',
      body: { targetDeviceId, actionType: 'OpenApp', parameters: { appName } },
    });
  const list = await rig.call('GET /api/console/confirmations', { headers: person });
  const [first, second] = Object(list.body).items;
  expect(first).toMatchObject({ nonce: expect.any(String), action: {}, prompt: { arguments: expect.any(String) } });
  expect(Object.keys(second).toSorted()).toEqual(['actionDigest', 'createdAt', 'expiresAt', 'id', 'prompt', 'status']);
  expect(Object.keys(second.prompt).toSorted()).toEqual(['place', 'requester', 'risk', 'sentence', 'waiting']);
  const path = `GET /api/console/confirmations/${second.id}`;
  expect(await rig.call(path, { headers: person })).toMatchObject({ status: 200, body: { id: second.id, action: {} } });
  expect(await rig.call(path, { userId: 'ann' })).toMatchObject({ status: 401 });
  const none = await rig.call('GET /api/console/confirmations/cnf_none', { headers: person });
  expect(none).toMatchObject({ status: 404, body: { code: 'not_found' } });
});
