import { expect, test, vi } from 'vitest';
import { remembering } from '../../src/contract/remembering.ts';

test('a text is asked about once, also where the answer is nothing', () => {
  const answerTo = vi.fn((text: string) => (text === 'none' ? undefined : text.length));
  const lengthOf = remembering(answerTo);
  expect(['four', 'none', 'four', 'none'].map(lengthOf)).toEqual([4, undefined, 4, undefined]);
  expect(answerTo).toHaveBeenCalledTimes(2);
});

test('at most 1,000 texts of at most 200 characters are remembered', () => {
  const answerTo = vi.fn((text: string) => text.length);
  const lengthOf = remembering(answerTo);
  const long = 'a'.repeat(201);
  lengthOf(long);
  lengthOf(long);
  expect(answerTo).toHaveBeenCalledTimes(2);
  for (let number = 0; number < 1_001; number += 1) lengthOf(`text ${number}`);
  lengthOf('text 1000');
  expect(answerTo).toHaveBeenCalledTimes(1_003);
  lengthOf('text 0');
  expect(answerTo).toHaveBeenCalledTimes(1_004);
});
