import { expect, test } from 'vitest';
import { nearNames } from '../../src/contract/near-names.ts';

test('a name that differs in two letters of five is near, and one that differs in three of seven is not', () => {
  expect([nearNames('abcde', ['abcxy']), nearNames('abcdefg', ['abcdxyz'])]).toEqual([['abcxy'], []]);
});

test('of the names that are near the five nearest are told', () => {
  const names = ['notes6', 'notes5', 'notes4', 'notes3', 'notes2', 'notes1'];
  expect(nearNames('notes', names)).toEqual(['notes1', 'notes2', 'notes3', 'notes4', 'notes5']);
});
