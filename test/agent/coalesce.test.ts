import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { createCoalesced } from '../../agent/drivers/pictures/take-screenshot.ts';

const never = new AbortController().signal;

function work() {
  const started: AbortSignal[] = [];
  const results: PromiseWithResolvers<string>[] = [];
  const start = (signal: AbortSignal) => {
    started.push(signal);
    const result = Promise.withResolvers<string>();
    results.push(result);
    return result.promise;
  };
  return { start, started, finish: (value: string) => results.at(-1)?.resolve(value) };
}

test('requests with one key that come at once share the work and its result', async () => {
  const { start, started, finish } = work();
  const coalesced = createCoalesced<string>();
  const both = [coalesced({ key: 'a', signal: never }, start), coalesced({ key: 'a', signal: never }, start)];
  finish('picture');
  expect(await Promise.all(both)).toEqual(['picture', 'picture']);
  expect(started).toHaveLength(1);
});

test('nothing of it hangs on the signal when it is over: a deadline of minutes would keep the picture until then', async () => {
  const { start, finish } = work();
  const { signal } = new AbortController();
  const outcome = createCoalesced<string>()({ key: 'a', signal }, start);
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  finish('picture');
  await outcome;
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('other keys, and requests after the result, have work of their own', async () => {
  const { start, started, finish } = work();
  const coalesced = createCoalesced<string>();
  const first = coalesced({ key: 'a', signal: never }, start);
  finish('one');
  await first;
  const again = coalesced({ key: 'a', signal: never }, start);
  finish('two');
  const other = coalesced({ key: 'b', signal: never }, start);
  finish('three');
  expect([await first, await again, await other]).toEqual(['one', 'two', 'three']);
  expect(started).toHaveLength(3);
});

test('one caller that stops does not stop the others', async () => {
  const { start, started, finish } = work();
  const coalesced = createCoalesced<string>();
  const stop = new AbortController();
  const stopping = coalesced({ key: 'a', signal: stop.signal }, start);
  const staying = coalesced({ key: 'a', signal: never }, start);
  stop.abort('requested');
  expect(await stopping).toBe('stopped');
  expect(started[0]?.aborted).toBe(false);
  finish('picture');
  expect(await staying).toBe('picture');
});

test('when nobody waits any more the work is stopped, and the next caller starts anew', async () => {
  const coalesced = createCoalesced<string>();
  const stop = new AbortController();
  let stoppedFor: unknown;
  const stopping = coalesced({ key: 'a', signal: stop.signal }, (signal) => {
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        stoppedFor = signal.reason;
        resolve('too late');
      });
    });
  });
  stop.abort('requested');
  expect(await stopping).toBe('stopped');
  expect(stoppedFor).toBe('requested');
  expect(await coalesced({ key: 'a', signal: never }, async () => 'new')).toBe('new');
});

test('work that fails fails for all, and is forgotten', async () => {
  const coalesced = createCoalesced<string>();
  const fail = async () => {
    throw new Error('no picture');
  };
  const both = [coalesced({ key: 'a', signal: never }, fail), coalesced({ key: 'a', signal: never }, fail)];
  const outcomes = await Promise.allSettled(both);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await coalesced({ key: 'a', signal: never }, async () => 'new')).toBe('new');
});
