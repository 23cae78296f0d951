import { afterEach, expect, test } from 'vitest';
import type { Action } from '../../src/contract/action.ts';
import type { ConsoleStatus } from '../../src/contract/console-status.ts';
import { until } from '../desktop/processes.ts';
import { type RunningDaemon, startDaemonProcess } from './daemon.ts';
import { openStream } from './event-reader.ts';

const FAKE = { HANDRAIL_AGENT_DRIVER: 'fake' };
/** Fewer than the connections that a system lets wait for a busy daemon: it drops the others, and they try again much later. */
const FLOOD = 200;
const screenshot = { actionType: 'TakeScreenshot', parameters: {} };

let daemon: RunningDaemon;

afterEach(() => daemon.stop());

async function start(environment: Record<string, string> = {}) {
  daemon = await startDaemonProcess({ ...FAKE, ...environment });
  const device = await daemon.register();
  await daemon.agentOnline();
  return { device, person: await daemon.signIn() };
}

test('the emergency stop ends four long actions and a prompt, long before their time', async () => {
  const { device, person } = await start();
  const wait = { targetDeviceId: device.id, actionType: 'Wait', parameters: { durationMs: 60_000 } };
  const held = [1, 2, 3, 4].map(() => daemon.submit(wait, { headers: { prefer: 'wait=30' } }));
  await until('four actions run', async () => (await person.call<ConsoleStatus>('/status')).body.running === 4);
  const asked = await daemon.submit({ targetDeviceId: device.id, ...screenshot });
  const stopped = person.call<ConsoleStatus>('/pause', { method: 'POST' });
  const ended = await Promise.all(held);
  expect((await stopped).body).toMatchObject({ paused: true, waiting: 0 });
  expect(ended.map(({ body }) => body.status)).toEqual(['cancelled', 'cancelled', 'cancelled', 'cancelled']);
  const { body } = await daemon.call<Action>(`/api/tee/actions/${asked.body.actionId}`, { userId: 'ann' });
  expect(body.status).toBe('cancelled');
  expect(await daemon.submit(wait)).toMatchObject({ status: 503, body: { code: 'paused' } });
  await person.call('/resume', { method: 'POST' });
  const again = await daemon.submit({ ...wait, parameters: { durationMs: 0 } });
  expect(again.body.status).toBe('success');
});

test('two hundred submissions at once leave 25 prompts and one call, a responsive daemon and other users served', async () => {
  const { device, person } = await start({ HANDRAIL_RATE_LIMITS: 'off' });
  const other = await daemon.register({}, 'bob');
  const flood = Promise.all(
    Array.from({ length: FLOOD }, (_, index) =>
      daemon.submit({ targetDeviceId: device.id, actionType: 'TakeScreenshot', parameters: { maxWidth: 100 + index } }),
    ),
  );
  expect((await daemon.health()).status).toBe(200);
  const statuses = Map.groupBy(await flood, ({ status }) => status);
  expect([...statuses].map(([status, answers]) => [status, answers.length]).sort()).toEqual([
    [202, 25],
    [429, FLOOD - 25],
  ]);
  const prompts = await person.prompts();
  expect(prompts).toHaveLength(25);
  expect(prompts.filter(({ calledAt }) => calledAt !== undefined)).toHaveLength(1);
  const served = await daemon.submit(
    { targetDeviceId: other.id, actionType: 'Wait', parameters: { durationMs: 0 } },
    { userId: 'bob' },
  );
  expect(served.body.status).toBe('success');
});

test('a reader of the event stream that drops and returns misses nothing and sees nothing twice', async () => {
  const { device, person } = await start();
  const headers = { authorization: `Bearer ${person.key}` };
  const wait = { targetDeviceId: device.id, actionType: 'Wait', parameters: { durationMs: 0 } };
  const first = await openStream(`${daemon.base}/api/console/events`, headers);
  await daemon.submit(wait);
  const before = await first.take(3);
  first.drop();
  await daemon.submit(wait);
  await daemon.submit(wait);
  const second = await openStream(`${daemon.base}/api/console/events`, {
    ...headers,
    'last-event-id': String(before.at(-1)?.id),
  });
  await daemon.submit(wait);
  const all = [...before];
  const ended = () => all.filter(({ kind }) => kind === 'action.succeeded').length;
  while (ended() < 4) all.push(...(await second.take(1)));
  second.drop();
  const ids = all.map(({ id }) => Number(id));
  expect(ids).toEqual(ids.map((_, index) => Number(ids[0]) + index));
  // The program of a new connection is told in between.
  const ofActions = all.flatMap(({ kind }) => (kind === 'requester.program' ? [] : kind));
  expect(ofActions).toEqual(Array(4).fill(['action.requested', 'action.dispatched', 'action.succeeded']).flat());
});

test('a user’s stream tells of that user’s actions only, and one that is too far behind is told to begin anew', async () => {
  const { device } = await start();
  const bob = await daemon.register({}, 'bob');
  const stream = await openStream(`${daemon.base}/api/tee/events`, { 'x-user-id': 'bob' });
  await daemon.submit({ targetDeviceId: device.id, actionType: 'Wait', parameters: { durationMs: 0 } });
  await daemon.submit({ targetDeviceId: bob.id, actionType: 'Wait', parameters: { durationMs: 0 } }, { userId: 'bob' });
  expect((await stream.take(3)).map(({ userId }) => userId)).toEqual(['bob', 'bob', 'bob']);
  stream.drop();
  const late = await openStream(`${daemon.base}/api/tee/events`, { 'x-user-id': 'bob', 'last-event-id': '999999999' });
  expect((await late.takeNames(1))[0]).toBe('reset');
  late.drop();
});
