import { expect, test } from 'vitest';
import { counted, seconds } from '../../../src/guardian/insights/finding.ts';

test.each([
  [0, '1 ms'],
  [30, '30 ms'],
  [999.4, '999 ms'],
  [999.6, '1 s'],
  [1_234, '1.2 s'],
  [9_960, '10 s'],
  [59_499, '59 s'],
  [59_600, '1 min'],
  [180_000, '3 min'],
  [90_000, '1.5 min'],
  [3_599_400, '60 min'],
  [3_600_000, '1 h'],
  [9_000_000, '2.5 h'],
])('%d ms are told as %s', (ms, told) => {
  expect(seconds(ms)).toBe(told);
});

test('one is told of in the singular', () => {
  expect([0, 1, 2].map((count) => counted(count, 'task'))).toEqual(['0 tasks', '1 task', '2 tasks']);
});
