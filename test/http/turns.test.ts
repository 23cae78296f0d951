import { expect, test } from 'vitest';
import { nextTurn } from '../../src/services/work/turns.ts';
import { type Rig, startRig, textIn } from './rig.ts';

async function signIn(rig: Rig): Promise<Record<string, string>> {
  const headers = { origin: rig.url };
  const session = await rig.call('POST /api/console/session', { headers, body: { code: rig.services.oneUseCode } });
  return { ...headers, authorization: `Bearer ${textIn(session.body, 'key')}` };
}

/** Keeps a thousand turns of a requester waiting while something is done. Answers how many of them are left then. */
async function leftAfter(call: () => Promise<unknown>): Promise<number> {
  const served: string[] = [];
  const flood = Array.from({ length: 1_000 }, () => nextTurn('eve').then(() => served.push('eve')));
  await call();
  const left = flood.length - served.length;
  await Promise.all(flood);
  return left;
}

const list = (rig: Rig, userId: string) => rig.call('GET /api/tee/tasks', { userId });
const long = (rig: Rig, userId: string) =>
  rig.call('POST /api/tee/tasks', { userId, body: { text: 'x'.repeat(200_000) } });

test.each([
  ['A list', list],
  ['A long body', long],
])('%s of a requester waits behind its own calls, and not behind those of another', async (_what, send) => {
  const rig = await startRig({ rateLimits: 'on' });
  expect(await leftAfter(() => send(rig, 'eve'))).toBe(0);
  expect(await leftAfter(() => send(rig, 'ann'))).toBeGreaterThan(0);
});

test('the person and the checks of health wait for no requester', async () => {
  const rig = await startRig({ rateLimits: 'on' });
  const headers = await signIn(rig);
  expect(await leftAfter(() => rig.call('GET /api/console/confirmations', { headers }))).toBeGreaterThan(0);
  expect(await leftAfter(() => rig.call('GET /health'))).toBeGreaterThan(0);
});

test('lists and long bodies of many callers are all answered, also where one of them fails', async () => {
  const rig = await startRig({ rateLimits: 'on' });
  rig.services.devices.list = () => Promise.reject(new Error('broken'));
  const broken = () => rig.call('GET /api/tee/devices', { userId: 'ann' });
  const calls = [() => list(rig, 'ann'), () => long(rig, 'ann'), broken];
  const answers = await Promise.all([...calls, ...calls, ...calls].map((call) => call()));
  expect(answers.map(({ status }) => status)).toEqual([200, 400, 500, 200, 400, 500, 200, 400, 500]);
});

test('the items of a list are sent as they are, with the type and the length of JSON', async () => {
  const rig = await startRig({ rateLimits: 'on' });
  rig.services.tasks.list = async () => ({ items: ['{"a":1}', '{"b":"ä"}'], nextCursor: null });
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
