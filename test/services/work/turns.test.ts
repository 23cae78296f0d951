import { setImmediate as nextOfLoop } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { nextTurn } from '../../../src/services/work/turns.ts';

// No work takes any time unless it says so, however busy this machine is.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** Asks for the turns of these requesters in this order. Answers who was served, with a bar for each turn of the event loop. */
async function served(...requesters: string[]): Promise<string> {
  const events: string[] = [];
  let left = requesters.length;
  for (const requester of requesters) {
    void nextTurn(requester).then(() => {
      events.push(requester);
      left -= 1;
    });
  }
  while (left > 0) {
    await nextOfLoop();
    events.push('|');
  }
  return events.join(' ');
}

test('one caller is served in each turn of the event loop, so that the network is looked at between two', async () => {
  expect(await served('ann', 'ann', 'ann')).toMatch(/^(?:ann \| ){2}ann/);
});

test('requesters take turns, so that one that floods delays itself', async () => {
  const order = await served('eve', 'eve', 'eve', 'eve', 'ann', 'bob', 'ann');
  expect(order.replaceAll(/[ |]+/g, ' ').trim()).toBe('eve ann bob eve ann eve eve');
});

test('a caller that comes when nobody waits is served as well', async () => {
  for (const requester of ['ann', 'ann', 'bob']) expect(await served(requester)).toContain(requester);
});

test.each([
  ['of 4 ms is followed by the next at once', 4, 0],
  ['of 30 ms is followed by a rest of 10 ms', 30, 10],
])('a slice of work %s', async (_title, workMs, restMs) => {
  const seen: string[] = [];
  const loop = async () => {
    for (let turn = 0; turn < 5; turn += 1) await nextOfLoop();
  };
  void nextTurn('eve').then(() => vi.advanceTimersByTime(workMs));
  void nextTurn('eve').then(() => seen.push('next'));
  await loop();
  expect(seen).toEqual(restMs === 0 ? ['next'] : []);
  vi.advanceTimersByTime(restMs);
  await loop();
  expect(seen).toEqual(['next']);
});
