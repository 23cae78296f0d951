import { setImmediate as nextOfLoop } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { nextTurn } from '../../src/services/work/turns.ts';
import { type Rig, signIn, startRig } from './rig.ts';

/** Lets a slice take long, and does not let the rest end that follows it: until `goOn` no requester has a turn. */
async function resting(): Promise<{ goOn(): void }> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  onTestFinished(() => {
    vi.runOnlyPendingTimers();
    vi.useRealTimers();
  });
  await nextTurn('eve').then(() => void vi.advanceTimersByTime(30));
  while (vi.getTimerCount() === 0) await nextOfLoop();
  return { goOn: () => void vi.advanceTimersByTime(10) };
}

const list = (rig: Rig, userId: string) => rig.call('GET /api/tee/tasks', { userId });
const long = (rig: Rig, userId: string) =>
  rig.call('POST /api/tee/tasks', { userId, body: { text: 'x'.repeat(200_000) } });

test('the person and the checks of health wait for no requester, and lists and bodies of requesters take turns', {
  timeout: 20_000,
}, async () => {
  const rig = await startRig({ rateLimits: 'on' });
  const headers = await signIn(rig);
  const { goOn } = await resting();
  const answered: number[] = [];
  const calls = [list(rig, 'ann'), long(rig, 'ann')].map((call) => call.then(({ status }) => answered.push(status)));
  expect(await rig.call('GET /api/console/confirmations', { headers })).toMatchObject({ status: 200 });
  expect(await rig.call('GET /health')).toMatchObject({ status: 200 });
  expect(answered).toEqual([]);
  goOn();
  await Promise.all(calls);
  expect(answered.toSorted()).toEqual([200, 400]);
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
