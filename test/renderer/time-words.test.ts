import { expect, test } from 'vitest';
import { countdown, dayWords, timeAgo, timeAhead, withTimesInWords } from '../../renderer/src/time-words.ts';

const NOW = Date.parse('2026-05-04T12:00:00.000Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

test.each([
  [90_000, '1:30'],
  [89_001, '1:30'],
  [60_000, '1:00'],
  [9_000, '0:09'],
  [1, '0:01'],
  [0, '0:00'],
  [-5_000, '0:00'],
])('with %i ms to go there is %s left', (leftMs, words) => {
  expect(countdown(leftMs)).toBe(words);
});

test.each([
  [-1_000, 'just now'],
  [0, 'just now'],
  [MINUTE, '1 minute ago'],
  [59 * MINUTE, '59 minutes ago'],
  [HOUR, '1 hour ago'],
  [DAY, 'yesterday'],
  [12.9 * DAY, '12 days ago'],
])('%i ms ago is %s', (agoMs, words) => {
  expect(timeAgo(NOW - agoMs, NOW)).toBe(words);
});

test.each([
  [0, 'within a minute'],
  [14.5 * MINUTE, 'in 14 minutes'],
  [8 * HOUR, 'in 8 hours'],
  [90 * DAY, 'in 90 days'],
])('%i ms ahead is %s', (aheadMs, words) => {
  expect(timeAhead(NOW + aheadMs, NOW)).toBe(words);
});

test('a day has its year only when that is another one', () => {
  expect(dayWords(NOW - 10 * DAY, NOW)).toBe('24 Apr');
  expect(dayWords(NOW - 365 * DAY, NOW)).toBe('4 May 2025');
});

test('instants in a sentence are said in words', () => {
  expect(withTimesInWords('Allowed 12 times, last 2026-05-04T09:00:00.000Z', NOW)).toBe(
    'Allowed 12 times, last 3 hours ago',
  );
});
