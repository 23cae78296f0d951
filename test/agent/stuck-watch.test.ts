import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createStuckWatch } from '../../agent/agent.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The watch of an agent while an action runs. `sleep` lets time pass in which no timer fires. */
function startWatch({ isLinked = true } = {}) {
  const state = { isActing: true, isLinked, pings: 0, stuckAfterMs: [] as number[] };
  const startedAtMs = Date.now();
  let asleepMs = 0;
  const watch = createStuckWatch({
    ping() {
      state.pings += state.isLinked ? 1 : 0;
      return state.isLinked;
    },
    isActing: () => state.isActing,
    stuck: () => void state.stuckAfterMs.push(Date.now() - startedAtMs),
    now: () => Date.now() + asleepMs,
  });
  watch.begin();
  const sleep = (ms: number) => {
    asleepMs += ms;
  };
  return { state, watch, sleep };
}

test('D4: a daemon that answers no ping for 2 s while an action runs is stuck', async () => {
  const { state } = startWatch();
  await vi.advanceTimersByTimeAsync(1_999);
  expect(state).toMatchObject({ stuckAfterMs: [], pings: 8 });
  await vi.advanceTimersByTimeAsync(2);
  expect(state.stuckAfterMs).toHaveLength(1);
});

test('one that answers within that time is not, however long the action runs', async () => {
  const { state, watch } = startWatch();
  for (let answer = 0; answer < 20; answer += 1) {
    await vi.advanceTimersByTimeAsync(1_900);
    watch.heard();
  }
  expect(state.stuckAfterMs).toEqual([]);
});

test('an answer that arrived and was not read yet counts', async () => {
  const { state, watch } = startWatch();
  await vi.advanceTimersByTimeAsync(1_999);
  setTimeout(() => queueMicrotask(watch.heard), 1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(state.stuckAfterMs).toEqual([]);
});

test('an agent that was asleep itself does not take that time for silence of the daemon', async () => {
  const { state, sleep } = startWatch();
  await vi.advanceTimersByTimeAsync(1_000);
  sleep(3_600_000);
  await vi.advanceTimersByTimeAsync(500);
  expect(state.stuckAfterMs).toEqual([]);
});

test('without a link nobody is asked, and nothing is stuck', async () => {
  const { state } = startWatch({ isLinked: false });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(state).toMatchObject({ stuckAfterMs: [], pings: 0 });
});

test('after the last action has ended nobody is asked any more', async () => {
  const { state, watch } = startWatch();
  state.isActing = false;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(state).toMatchObject({ pings: 1, stuckAfterMs: [] });
  state.isActing = true;
  watch.begin();
  await vi.advanceTimersByTimeAsync(2_001);
  expect(state.stuckAfterMs).toHaveLength(1);
});
