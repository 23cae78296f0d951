import { expect, test } from 'vitest';
import { createTurns } from '../../agent/drivers/keyed-queue.ts';

const { signal } = new AbortController();

test('work under one key waits for its turn, work under another does not', async () => {
  const inTurn = createTurns();
  const order: string[] = [];
  const first = Promise.withResolvers<void>();
  const work = (name: string, wait?: Promise<void>) => async () => {
    order.push(`${name} begins`);
    await wait;
    order.push(`${name} ends`);
    return name;
  };
  const one = inTurn({ key: 'a', signal, work: work('one', first.promise) });
  const two = inTurn({ key: 'a', signal, work: work('two') });
  expect(await inTurn({ key: 'b', signal, work: work('other') })).toBe('other');
  first.resolve();
  expect(await Promise.all([one, two])).toEqual(['one', 'two']);
  expect(order.indexOf('two begins')).toBeGreaterThan(order.indexOf('one ends'));
});

test('work that fails does not keep the next from its turn', async () => {
  const inTurn = createTurns();
  const failing = inTurn({ key: 'a', signal, work: () => Promise.reject(new Error('broken')) });
  const next = inTurn({ key: 'a', signal, work: async () => 'done' });
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('done');
});

test('who is stopped while waiting gets nothing at once, and those behind keep their order', async () => {
  const inTurn = createTurns();
  const first = Promise.withResolvers<void>();
  const waiting = new AbortController();
  const order: string[] = [];
  const one = inTurn({ key: 'a', signal, work: () => first.promise.then(() => order.push('one')) });
  const stopped = inTurn({ key: 'a', signal: waiting.signal, work: async () => order.push('stopped') });
  const three = inTurn({ key: 'a', signal, work: async () => order.push('three') });
  waiting.abort();
  expect(await stopped).toBeNull();
  expect(order).toEqual([]);
  first.resolve();
  await Promise.all([one, three]);
  expect(order).toEqual(['one', 'three']);
});
