import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { ToldInsight } from '../../renderer/src/feed/feed.ts';
import { createFeed } from '../../renderer/src/feed/feed.ts';
import { createFakeClient, NO_PROFILES, STATUS } from './fake-client.ts';
import { waiting } from './made-up.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const pass = (durationMs: number) => vi.advanceTimersByTimeAsync(durationMs);

function startFeed(prepare: (fake: ReturnType<typeof createFakeClient>['fake']) => void = () => undefined) {
  const { fake, client } = createFakeClient();
  prepare(fake);
  const told: ToldInsight[] = [];
  const feed = createFeed(client, (insight) => told.push(insight));
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const followed = feed.follow(stop.signal);
  return { fake, feed, stop, followed, told };
}

test('it loads everything once the stream is open', async () => {
  const { feed, fake } = startFeed((daemon) => daemon.waiting.push(waiting('a')));
  expect(feed.get()).toEqual({
    connection: 'connecting',
    confirmations: [],
    status: undefined,
    grants: undefined,
    profiles: undefined,
    stuckTasks: undefined,
  });
  await pass(0);
  expect(feed.get()).toEqual({
    connection: 'live',
    confirmations: fake.waiting,
    status: STATUS,
    grants: [],
    profiles: NO_PROFILES,
    stuckTasks: [],
  });
});

test('what the person should know is handed on, once', async () => {
  const { fake, told } = startFeed();
  await pass(0);
  fake.say('1');
  fake.tell('2', { insightId: 'ins_1', title: '41 of 41 approvals, median 1.1 s' });
  await pass(1_000);
  expect(told).toEqual([{ insightId: 'ins_1', title: '41 of 41 approvals, median 1.1 s' }]);
});

test('only what still waits is a prompt', async () => {
  const { feed } = startFeed((daemon) => daemon.waiting.push(waiting('a'), { ...waiting('b'), status: 'denied' }));
  await pass(0);
  expect(feed.get().confirmations).toMatchObject([{ id: 'a' }]);
});

test('an event makes it load anew, and many at once make it load once', async () => {
  const { feed, fake } = startFeed();
  await pass(1_000);
  expect(fake.loads).toBe(1);
  fake.waiting.push(waiting('a'));
  for (let id = 1; id <= 50; id += 1) fake.say(String(id));
  await pass(0);
  expect(feed.get().confirmations).toMatchObject([{ id: 'a' }]);
  await pass(1_000);
  expect(fake.loads).toBeLessThanOrEqual(3);
});

test('it loads anew 50 ms after the load before, and not sooner', async () => {
  const { fake } = startFeed();
  await pass(1_000);
  fake.say('1');
  await pass(0);
  expect(fake.loads).toBe(2);
  fake.say('2');
  await pass(49);
  expect(fake.loads).toBe(2);
  await pass(1);
  expect(fake.loads).toBe(3);
});

test('without a stream it looks for one again every 30 seconds', async () => {
  const { fake } = startFeed((daemon) => {
    daemon.eventsFailure = { code: 'not_found', detail: '' };
  });
  await pass(29_999);
  expect(fake.positions).toHaveLength(1);
  await pass(1);
  expect(fake.positions).toHaveLength(2);
});

test('a daemon that went away is found again, and the stream goes on where it was', async () => {
  const { feed, fake } = startFeed();
  await pass(0);
  fake.say('41');
  fake.say('42');
  await pass(0);
  fake.isUp = false;
  fake.hangUp();
  await pass(0);
  expect(feed.get().connection).toBe('lost');
  await pass(60_000);
  expect(feed.get().connection).toBe('lost');
  fake.isUp = true;
  fake.waiting.push(waiting('a'));
  await pass(10_000);
  expect(feed.get()).toMatchObject({ connection: 'live', confirmations: [{ id: 'a' }] });
  expect(fake.positions[0]).toBeUndefined();
  expect(fake.positions.slice(1)).toEqual(fake.positions.slice(1).map(() => '42'));
  expect(fake.positions.length).toBeLessThan(15);
});

test('a daemon that cannot be loaded from while its stream is open counts as lost', async () => {
  const { feed, fake } = startFeed();
  await pass(0);
  fake.isUp = false;
  await pass(1_000);
  fake.say('1');
  await pass(0);
  expect(feed.get().connection).toBe('lost');
});

test.each(['not_found', 'internal_error'] as const)('without a stream (%s) it asks every second', async (code) => {
  const { feed, fake } = startFeed((daemon) => {
    daemon.eventsFailure = { code, detail: '' };
  });
  await pass(0);
  expect(feed.get().connection).toBe('polling');
  await pass(5_000);
  expect(fake.loads).toBe(6);
  fake.isUp = false;
  await pass(1_000);
  expect(feed.get().connection).toBe('lost');
  fake.isUp = true;
  await pass(10_000);
  expect(feed.get().connection).toBe('polling');
  fake.eventsFailure = undefined;
  await pass(30_000);
  expect(feed.get().connection).toBe('live');
});

test('a daemon without a status has none, and one that is only busy keeps the last', async () => {
  const { feed, fake } = startFeed();
  await pass(0);
  fake.statusAnswer = { ok: false, failure: { code: 'rate_limited', detail: '' } };
  await Promise.all([feed.refresh(), pass(200)]);
  expect(feed.get().status).toEqual(STATUS);
  fake.statusAnswer = { ok: false, failure: { code: 'not_found', detail: '' } };
  await Promise.all([feed.refresh(), pass(200)]);
  expect(feed.get().status).toBeUndefined();
});

test('it ends when it is told to', async () => {
  const { fake, stop, followed } = startFeed();
  await pass(0);
  stop.abort();
  await followed;
  const { loads } = fake;
  await pass(60_000);
  expect(fake.loads).toBe(loads);
});
