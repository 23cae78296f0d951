import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { createHeldCalls, PERSON } from '../../src/http/open-calls.ts';

const response = () => Object.assign(new EventEmitter(), { writableFinished: true }) as unknown as ServerResponse;

function start() {
  const limit = { perUser: 2, inAll: 3 };
  return createHeldCalls({ asked: limit, byDefault: limit, isKnown: () => false });
}

test('the calls of the person take no places of others', () => {
  const { take } = start();
  for (let count = 0; count < 2; count += 1) expect(take(PERSON, response())).toBeUndefined();
  for (const user of ['ann', 'ann', 'bob']) expect(take(user, response())).toBeUndefined();
  expect(take('bob', response())).toMatchObject({ detail: expect.stringContaining('3 in all') });
});

test('calls of others that have taken all places leave those of the person, up to its own limit', () => {
  const { take } = start();
  for (const user of ['ann', 'bob', 'eve']) expect(take(user, response())).toBeUndefined();
  for (let count = 0; count < 2; count += 1) expect(take(PERSON, response())).toBeUndefined();
  expect(take(PERSON, response())).toMatchObject({ detail: expect.stringContaining('2 of one user') });
});

test('a response that has ended frees the place of its own user', () => {
  const { take } = start();
  const [first, second] = [response(), response()];
  for (const each of [first, second]) take('ann', each);
  expect(take('ann', response())).toBeDefined();
  first.emit('close');
  expect(take('ann', response())).toBeUndefined();
});

test('a caller whose answer was sent whole is not told that it has gone', () => {
  const { goneSignal } = start();
  const [whole, cut] = [response(), Object.assign(response(), { writableFinished: false })];
  const signals = [whole, cut].map(goneSignal);
  for (const each of [whole, cut]) each.emit('close');
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
});
