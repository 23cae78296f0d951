import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { lazyCheck } from '../../src/contract/lazy-check.ts';

test('a check compiles its schema on its first use, and tells values that fit from others', () => {
  let reads = 0;
  const schema = new Proxy(Type.Object({ name: Type.String() }, { additionalProperties: false }), {
    get(target, key, receiver) {
      reads += 1;
      return Reflect.get(target, key, receiver);
    },
  });
  const isNamed = lazyCheck(schema);
  expect(reads).toBe(0);
  expect([isNamed({ name: 'a' }), isNamed({ name: 1 }), isNamed({ name: 'a', age: 1 })]).toEqual([true, false, false]);
  const afterFirst = reads;
  expect(afterFirst).toBeGreaterThan(0);
  expect(isNamed({ name: 'b' })).toBe(true);
  expect(reads).toBe(afterFirst);
});
