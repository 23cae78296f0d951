import { expect, test } from 'vitest';
import { daysAgo, daysBefore, isWeekend, startOfDay } from '../../../src/guardian/metrics/local-time.ts';

const HOUR_MS = 3_600_000;

/** Summer time from March to October of 2026, as in Berlin. */
const berlin = (atMs: number) =>
  (atMs >= Date.parse('2026-03-29T01:00:00Z') && atMs < Date.parse('2026-10-25T01:00:00Z') ? 2 : 1) * HOUR_MS;
const text = (atMs: number) => new Date(atMs).toISOString().slice(5, 16);

test.each([
  ['2026-03-30T07:00:00Z', '03-28T08:00'],
  ['2026-10-26T08:00:00Z', '10-24T07:00'],
])('two days before %s is the same time on the wall', (at, expected) => {
  expect(text(daysAgo(Date.parse(at), 2, berlin))).toBe(expected);
});

test('the days on which the clock changes are an hour shorter and an hour longer', () => {
  const hours = (midnight: string) =>
    daysBefore(startOfDay(Date.parse(midnight), berlin), 3, berlin).map(
      ({ fromMs, toMs }) => (toMs - fromMs) / HOUR_MS,
    );
  expect(hours('2026-03-31T12:00:00Z')).toEqual([24, 23, 24]);
  expect(hours('2026-10-27T12:00:00Z')).toEqual([24, 25, 24]);
});

test('a day begins at local midnight, and a weekend where the person is', () => {
  expect(text(startOfDay(Date.parse('2026-07-03T22:30:00Z'), berlin))).toBe('07-03T22:00');
  expect([
    isWeekend(Date.parse('2026-07-03T21:30:00Z'), berlin),
    isWeekend(Date.parse('2026-07-03T22:30:00Z'), berlin),
  ]).toEqual([false, true]);
});
