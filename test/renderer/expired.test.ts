import { expect, test } from 'vitest';
import type { FeedState } from '../../renderer/src/feed/feed.ts';
import { createObservable } from '../../renderer/src/observable.ts';
import { createExpiredRequests } from '../../renderer/src/prompt/outcomes.ts';
import type { Reply } from '../../src/client/call.ts';
import type { Action } from '../../src/contract/action.ts';
import { waiting } from './made-up.ts';

const NOW_MS = Date.parse('2026-05-04T12:00:00.000Z');
const HOUR_MS = 3_600_000;

type Page = Reply<{ items: Action[]; nextCursor: null }>;

function open({ earlier = [], stored = {} }: { earlier?: Partial<Action>[]; stored?: Record<string, string> } = {}) {
  const feed = createObservable({ confirmations: [] } as unknown as FeedState);
  const kept = new Map(Object.entries(stored));
  const asked: string[] = [];
  let nowMs = NOW_MS;
  const expired = createExpiredRequests({
    client: {
      async activity(query: string): Promise<Page> {
        asked.push(decodeURIComponent(query));
        return { ok: true, value: { items: earlier as Action[], nextCursor: null } };
      },
    },
    feed: { ...feed, refresh: async () => true, follow: async () => undefined },
    storage: { getItem: (name) => kept.get(name) ?? null, setItem: (name, value) => void kept.set(name, value) },
    now: () => nowMs,
  });
  const show = (...confirmations: FeedState['confirmations']) => feed.set({ ...feed.get(), confirmations });
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { expired, show, pass, asked, kept };
}

const prompt = (id: string, userId: string, leftMs: number) => {
  return { ...waiting(id, { userId }), expiresAt: new Date(NOW_MS + leftMs).toISOString() };
};
const namesOf = ({ expired }: ReturnType<typeof open>) => expired.get().map(({ id, userId }) => `${id} of ${userId}`);

test('requests that leave the queue at their time are listed by name, the latest first; others are not', () => {
  const page = open();
  page.expired.watch();
  const four = [
    prompt('a', 'ann', 1_000),
    prompt('b', 'bob', 2_000),
    prompt('c', 'cid', 9_000),
    prompt('d', 'ann', 1_500),
  ];
  page.show(...four);
  page.pass(2_000);
  page.show();
  expect(namesOf(page)).toEqual(['b of bob', 'd of ann', 'a of ann']);
  expect(page.expired.get()[0]).toEqual({
    id: 'b',
    userId: 'bob',
    sentence: 'Take a screenshot of the main display',
    atMs: NOW_MS + 2_000,
  });
});

test('those of the last twelve hours before the page was opened are listed too, and none that the person has looked at', async () => {
  const at = (ms: number) => new Date(ms).toISOString();
  const earlier = [{ actionId: 'act_1', actionType: 'OpenApp', userId: 'ann', createdAt: at(NOW_MS - HOUR_MS) }];
  const page = open({ earlier });
  page.expired.watch();
  await expect
    .poll(() => page.expired.get())
    .toEqual([{ id: 'act_1', userId: 'ann', sentence: 'Open app', atMs: NOW_MS - HOUR_MS }]);
  expect(page.asked).toEqual([`status=expired&limit=50&since=${at(NOW_MS - 12 * HOUR_MS - 600_000)}`]);
  page.pass(1_000);
  page.expired.close();
  expect(page.expired.get()).toEqual([]);
  const next = open({ stored: Object.fromEntries(page.kept) });
  next.expired.watch();
  expect(next.asked).toEqual([`status=expired&limit=50&since=${at(NOW_MS + 1_000 - 600_000)}`]);
});

test('of two requests that came before the person looked, the one that expired after it is listed', async () => {
  const at = (ms: number) => new Date(ms).toISOString();
  const asked = { actionType: 'OpenApp', userId: 'ann', createdAt: at(NOW_MS - 120_000) };
  const earlier = [
    { ...asked, actionId: 'act_after', finishedAt: at(NOW_MS - 30_000) },
    { ...asked, actionId: 'act_before', finishedAt: at(NOW_MS - 60_001) },
  ];
  const page = open({ earlier, stored: { 'handrail-expired-looked-at': String(NOW_MS - 60_000) } });
  page.expired.watch();
  await expect.poll(() => namesOf(page)).toEqual(['act_after of ann']);
});

test('a stored time that is none counts as never', () => {
  const page = open({ stored: { 'handrail-expired-looked-at': 'x' } });
  page.expired.watch();
  expect(page.asked[0]).toContain(new Date(NOW_MS - 12 * HOUR_MS - 600_000).toISOString());
});

test('no more than fifty are kept', () => {
  const page = open();
  page.expired.watch();
  page.show(...Array.from({ length: 60 }, (_none, index) => prompt(`p${index}`, 'ann', 1_000)));
  page.pass(1_000);
  page.show();
  expect(page.expired.get()).toHaveLength(50);
});
