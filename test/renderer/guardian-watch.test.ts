import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createWatch } from '../../renderer/src/guardian/watch.ts';
import { createObservable } from '../../renderer/src/observable.ts';

const LOAD_GAP_MS = 3_000;
const LOAD_AT_LEAST_EVERY_MS = 60_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function start() {
  const feed = createObservable({});
  const seen = { loads: 0, isHidden: false, isUp: true };
  const watched = createWatch({
    load: async () => {
      seen.loads += 1;
      return seen.isUp
        ? { ok: true as const, value: seen.loads }
        : { ok: false as const, failure: { code: 'unreachable' as const, detail: 'no answer' } };
    },
    feed,
    isHidden: () => seen.isHidden,
  });
  return { feed, seen, watched };
}

test('a burst of changes costs one load, and without changes there is one a minute', async () => {
  const { feed, seen, watched } = start();
  const stop = watched.watch();
  await vi.advanceTimersByTimeAsync(0);
  expect(seen.loads).toBe(1);
  for (let count = 0; count < 100; count += 1) feed.set({});
  await vi.advanceTimersByTimeAsync(LOAD_GAP_MS);
  expect(seen.loads).toBe(2);
  await vi.advanceTimersByTimeAsync(LOAD_AT_LEAST_EVERY_MS - LOAD_GAP_MS);
  expect(seen.loads).toBe(2);
  await vi.advanceTimersByTimeAsync(2 * LOAD_GAP_MS);
  expect(seen.loads).toBe(3);
  stop();
  feed.set({});
  await vi.advanceTimersByTimeAsync(2 * LOAD_AT_LEAST_EVERY_MS);
  expect(seen.loads).toBe(3);
});

test('a page that nobody can see loads nothing until it is seen again', async () => {
  const { feed, seen, watched } = start();
  const stop = watched.watch();
  await vi.advanceTimersByTimeAsync(0);
  seen.isHidden = true;
  feed.set({});
  await vi.advanceTimersByTimeAsync(5 * LOAD_AT_LEAST_EVERY_MS);
  expect(seen.loads).toBe(1);
  seen.isHidden = false;
  await vi.advanceTimersByTimeAsync(LOAD_GAP_MS);
  expect(seen.loads).toBe(2);
  stop();
});

test('the answer before a failure stays, with the failure beside it', async () => {
  const { seen, watched } = start();
  await watched.load();
  seen.isUp = false;
  await watched.load();
  expect(watched.get()).toEqual({ value: 1, failure: { code: 'unreachable', detail: 'no answer' } });
});

test('an answer that is known already is shown at once, and not asked for again until there is news', async () => {
  const load = vi.fn(async () => ({ ok: true as const, value: 2 }));
  const feed = createObservable({});
  const watched = createWatch({ load, feed, isHidden: () => false, known: 1 });
  expect(watched.get()).toEqual({ value: 1, failure: undefined });
  const stop = watched.watch();
  await vi.advanceTimersByTimeAsync(LOAD_GAP_MS - 1);
  expect(load).toHaveBeenCalledTimes(0);
  await vi.advanceTimersByTimeAsync(LOAD_AT_LEAST_EVERY_MS);
  expect(watched.get().value).toBe(2);
  stop();
});
