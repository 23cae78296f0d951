import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ACKNOWLEDGE_MS, createAcknowledgements } from '../../../src/agent-host/link/acknowledgements.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const FIRST = { actionId: 'act_1', attempt: 1 };
const SECOND = { actionId: 'act_2', attempt: 1 };

function start() {
  const said: unknown[] = [];
  const acknowledgements = createAcknowledgements({ now: () => performance.now(), say: (key) => said.push(key) });
  return { said, ...acknowledgements };
}

test('an outcome is acknowledged with the next request, and not again later', () => {
  const { said, add, sayAll } = start();
  add(FIRST);
  sayAll();
  expect(said).toEqual([FIRST]);
  vi.advanceTimersByTime(10 * ACKNOWLEDGE_MS);
  expect(said).toEqual([FIRST]);
});

test('outcomes that no request follows are acknowledged together after 20 ms', () => {
  const { said, add } = start();
  add(FIRST);
  vi.advanceTimersByTime(ACKNOWLEDGE_MS - 1);
  add(SECOND);
  expect(said).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(said).toEqual([FIRST, SECOND]);
});

test('an outcome that is stored after a request has 20 ms of its own to wait for the next one', () => {
  const { said, add, sayAll } = start();
  add(FIRST);
  vi.advanceTimersByTime(ACKNOWLEDGE_MS - 5);
  sayAll();
  add(SECOND);
  vi.advanceTimersByTime(ACKNOWLEDGE_MS - 1);
  expect(said).toEqual([FIRST]);
  vi.advanceTimersByTime(1);
  expect(said).toEqual([FIRST, SECOND]);
});

test('under load one timer is enough for the outcomes of 20 ms, and none is left at rest', () => {
  const { said, add, sayAll, stop } = start();
  for (let request = 0; request < 19; request += 1) {
    add(FIRST);
    sayAll();
    vi.advanceTimersByTime(1);
    expect(vi.getTimerCount()).toBe(1);
  }
  vi.advanceTimersByTime(1);
  expect(said).toHaveLength(19);
  expect(vi.getTimerCount()).toBe(0);
  add(SECOND);
  stop();
  expect(vi.getTimerCount()).toBe(0);
});
