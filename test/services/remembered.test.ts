import { expect, test } from 'vitest';
import { createRemembered } from '../../src/services/guardian/remembered.ts';

test('a final value is worked out once, also where it is null, and another one each time', () => {
  const remembered = createRemembered<string, number | null>(10);
  const worked: string[] = [];
  function ask(key: string, value: number | null, isFinal?: boolean): number | null {
    const work = () => {
      worked.push(key);
      return value;
    };
    return remembered(key, work, isFinal);
  }
  expect([ask('a', 1), ask('a', 2), ask('b', null), ask('b', 3)]).toEqual([1, 1, null, null]);
  expect([ask('c', 1, false), ask('c', 2, false), ask('c', 3), ask('c', 4)]).toEqual([1, 2, 3, 3]);
  expect(worked).toEqual(['a', 'b', 'c', 'c', 'c']);
});

test('it begins anew where it would hold more than it may', () => {
  const remembered = createRemembered<number, number>(2);
  let worked = 0;
  const work = () => {
    worked += 1;
    return worked;
  };
  const ask = (key: number) => remembered(key, work);
  expect([ask(1), ask(2), ask(1), ask(3), ask(1)]).toEqual([1, 2, 1, 3, 4]);
});
