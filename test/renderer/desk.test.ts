import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDesk } from '../../renderer/src/desk.ts';
import { createFeed } from '../../renderer/src/feed/feed.ts';
import { createNotices } from '../../renderer/src/notices.ts';
import { createObservable } from '../../renderer/src/observable.ts';
import type { Confirmation } from '../../src/contract/console.ts';
import { createFakeClient } from './fake-client.ts';
import { waiting } from './made-up.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function rig() {
  const { fake, client } = createFakeClient();
  const feed = createFeed(client, () => undefined);
  const notices = createNotices();
  const attention = createObservable(true);
  const outcomes: string[] = [];
  const desk = createDesk({
    feed,
    attention,
    client,
    outcomes: {
      add: ({ id }, { decision }) => void outcomes.push(`${decision} ${id}`),
      remove: (id) => void outcomes.push(`remove ${id}`),
    },
    notices,
    now: Date.now,
  });
  const reload = () => Promise.all([feed.refresh(), vi.advanceTimersByTimeAsync(200)]);
  /** These prompts begin to wait, and the page hears of them. */
  async function lay<Prompts extends Confirmation[]>(...prompts: Prompts): Promise<Prompts> {
    fake.waiting.push(...prompts);
    await reload();
    return prompts;
  }
  return { fake, notices, attention, desk, outcomes, reload, lay };
}

test('an answer goes to the daemon with what was shown, and the next prompt follows at once', async () => {
  const { fake, desk, lay, outcomes } = rig();
  const [first, second] = await lay(waiting('first', { ageMs: 10 }), waiting('second'));
  expect(desk.get()).toEqual({ prompt: first, isAnswering: false });
  const answering = desk.answer(first, { decision: 'allow', scope: 'once', presence: 'hold' });
  expect(desk.get().isAnswering).toBe(true);
  await vi.advanceTimersByTimeAsync(0);
  expect(desk.get()).toEqual({ prompt: second, isAnswering: false });
  expect(outcomes).toEqual(['allow first']);
  const { nonce, actionDigest } = first;
  expect(fake.decisions).toEqual([
    { id: 'first', decision: 'allow', scope: 'once', presence: 'hold', nonce, actionDigest },
  ]);
  await Promise.all([answering, vi.advanceTimersByTimeAsync(200)]);
});

test('several rows are denied each by a decision of its own, with its own nonce, and one that has ended is left out', async () => {
  const { fake, desk, lay, outcomes } = rig();
  const rows = ['a', 'b', 'c'].map((id, index) => waiting(id, { ageMs: 10 - index, place: index + 1 }));
  await lay(...rows);
  const denying = desk.denyEach([...rows.slice(1), waiting('gone')]);
  await Promise.all([denying, vi.advanceTimersByTimeAsync(1_000)]);
  expect(outcomes).toEqual(['deny b', 'deny c']);
  expect(fake.decisions.map(({ id, decision, nonce }) => [id, decision, nonce])).toEqual(
    rows.slice(1).map(({ id, nonce }) => [id, 'deny', nonce]),
  );
});

test('only a prompt that comes first is fetched whole, and its place is as the list says', async () => {
  const { fake, desk, lay } = rig();
  const [first, second] = await lay(
    waiting('first', { ageMs: 10 }),
    waiting('second', { ageMs: 5, place: 2 }),
    waiting('third', { place: 3 }),
  );
  expect(fake.fetched).toEqual([]);
  const answering = desk.answer(first, { decision: 'deny' });
  await vi.advanceTimersByTimeAsync(0);
  expect(desk.get().prompt).toEqual(second);
  expect(fake.fetched).toEqual(['second']);
  await Promise.all([answering, vi.advanceTimersByTimeAsync(200)]);
});

test('a prompt the person reads stays whole when another one takes its place at the head of the list', async () => {
  const { fake, desk, lay } = rig();
  const [read] = await lay({ ...waiting('read'), shownAt: '2026-05-04T10:00:01.000Z' });
  fake.waiting.length = 0;
  const later = { ...read, prompt: { ...read.prompt, place: 2, waiting: 2 } };
  await lay(waiting('critical', { level: 'critical' }), later);
  expect(desk.get().prompt).toEqual(later);
  expect(fake.fetched).toEqual([]);
});

test('a prompt that is another one than in the list is fetched again with the next list', async () => {
  const { fake, desk, reload, lay } = rig();
  const [first, second] = await lay(waiting('first', { ageMs: 10 }), waiting('second'));
  fake.waiting[1] = { ...second, actionDigest: 'f'.repeat(64) };
  const answering = desk.answer(first, { decision: 'deny' });
  await vi.advanceTimersByTimeAsync(0);
  await Promise.all([answering, reload()]);
  expect(fake.fetched).toEqual(['second', 'second']);
  expect(desk.get().prompt).toEqual(fake.waiting[1]);
});

test('while one answer is on its way there is no second', async () => {
  const { fake, desk, lay } = rig();
  const [only] = await lay(waiting('only'));
  const both = [1, 2].map(() => desk.answer(only, { decision: 'deny', scope: 'once' }));
  await Promise.all([...both, vi.advanceTimersByTimeAsync(200)]);
  expect(fake.decisions).toHaveLength(1);
});

test('a denial can be undone: the request lies before the person again', async () => {
  const { fake, desk, lay, outcomes, notices } = rig();
  const [only] = await lay(waiting('only'));
  await Promise.all([desk.answer(only, { decision: 'deny', scope: 'once' }), vi.advanceTimersByTimeAsync(200)]);
  expect(fake.decisions).toMatchObject([{ id: 'only', decision: 'deny', undoable: true }]);
  expect(desk.get().prompt).toBeUndefined();
  await Promise.all([desk.undo({ confirmationId: 'only', equal: [] }), vi.advanceTimersByTimeAsync(200)]);
  expect(desk.get().prompt).toEqual(only);
  expect(outcomes).toEqual(['deny only', 'remove only']);
  expect(notices.get()).toEqual({ tone: 'done', text: 'Undone. The request waits for you again.' });
});

test('one answer is for equal requests too, and its undo brings all of them back', async () => {
  const { fake, desk, lay } = rig();
  const [first] = await lay(waiting('first', { place: 1 }), waiting('second', { place: 2 }));
  const answer = { decision: 'deny', scope: 'once', equal: ['second'] } as const;
  await Promise.all([desk.answer(first, answer), vi.advanceTimersByTimeAsync(200)]);
  expect(fake.decisions).toMatchObject([{ id: 'first', decision: 'deny', equal: ['second'] }]);
  expect(desk.get().prompt).toBeUndefined();
  const undone = { confirmationId: 'first', equal: ['second'] };
  await Promise.all([desk.undo(undone), vi.advanceTimersByTimeAsync(200)]);
  expect(fake.undone).toEqual(['first', 'second']);
  expect(desk.get().prompt).toEqual(first);
});

test('an approval with its folder allows the request first, and then the folder for its requester', async () => {
  const { fake, desk, lay } = rig();
  const [only] = await lay(waiting('only'));
  const folder = { path: '/home/ann/Reports', access: 'read' } as const;
  const answer = { decision: 'allow', scope: 'once', folder } as const;
  await Promise.all([desk.answer(only, answer), vi.advanceTimersByTimeAsync(200)]);
  expect(fake.decisions).toMatchObject([{ id: 'only', decision: 'allow' }]);
  expect(fake.folders).toEqual([{ userId: 'ann', ...folder, isReal: true }]);
});

test('an answer that is refused says why, allows no folder, and the prompt stays', async () => {
  const { fake, desk, lay, notices } = rig();
  fake.decideAnswer = { ok: false, failure: { code: 'confirmation_stale', detail: 'x' } };
  const [only] = await lay(waiting('only'));
  const folder = { path: '/home/ann/Reports', access: 'write' } as const;
  const answer = { decision: 'allow', scope: 'once', folder } as const;
  await Promise.all([desk.answer(only, answer), vi.advanceTimersByTimeAsync(200)]);
  expect(fake.folders).toEqual([]);
  expect(desk.get()).toEqual({ prompt: only, isAnswering: false });
  expect(notices.get()).toEqual({ tone: 'problem', text: expect.stringContaining('changed since you saw it') });
});

const WITHDRAWN = { tone: 'problem', text: 'The request was withdrawn, or answered elsewhere.' };

test.each([
  [5_000, WITHDRAWN],
  [50, undefined],
])(
  'a prompt with %i ms to go that is gone is told of here, unless it expired and is in the list of those',
  async (expiresInMs, notice) => {
    const { fake, desk, reload, lay, notices } = rig();
    await lay(waiting('only', { expiresInMs }));
    fake.waiting.length = 0;
    await reload();
    expect(desk.get().prompt).toBeUndefined();
    expect(notices.get()).toEqual(notice);
    await vi.advanceTimersByTimeAsync(8_000);
    expect(notices.get()).toBeUndefined();
  },
);

test('a more urgent prompt waits until the person looks away', async () => {
  const { fake, desk, reload, lay, attention } = rig();
  const medium = waiting('medium');
  await lay({ ...medium, shownAt: medium.createdAt });
  fake.waiting.unshift(waiting('critical', { level: 'critical' }));
  await reload();
  expect(desk.get().prompt?.id).toBe('medium');
  attention.set(false);
  expect(desk.get().prompt?.id).toBe('critical');
});

test('a desk that was stopped lays out nothing more', async () => {
  const { desk, lay } = rig();
  desk.stop();
  await lay(waiting('late'));
  expect(desk.get().prompt).toBeUndefined();
});
