import { expect, test } from 'vitest';
import { createSameHour } from '../../src/guardian/same-hour.ts';
import { isSameSeason } from '../../src/guardian/season.ts';

const HOUR_MS = 3_600_000;
const at = (text: string) => Date.parse(`${text}Z`);
const wednesdayNine = at('2026-01-14T09:30:00');

test.each([
  ['2026-01-13T09:00:00', true, 'the day before'],
  ['2026-01-13T08:00:00', true, 'an hour earlier in the day'],
  ['2026-01-13T10:59:00', true, 'an hour later in the day'],
  ['2026-01-13T11:00:00', false, 'two hours later in the day'],
  ['2026-01-14T08:30:00', false, 'the same day'],
  ['2026-01-11T09:30:00', false, 'a Sunday'],
  ['2025-12-17T09:30:00', true, 'four weeks before'],
  ['2025-12-16T09:30:00', false, 'more than four weeks before'],
])('%s compares with a Wednesday at 9: %s, %s', (earlier, expected) => {
  expect(isSameSeason(at(earlier), wednesdayNine)).toBe(expected);
});

test('the turn of the day does not hide the hour before or after', () => {
  expect(isSameSeason(at('2026-01-12T23:30:00'), at('2026-01-14T00:30:00'))).toBe(true);
});

test('an hour is expected to be like the middle of the comparable ones', () => {
  const hours = createSameHour();
  for (const day of [0, 1, 2, 3, 4])
    for (const [hour, value] of [
      [8, 0],
      [9, 10],
      [9, 12],
      [10, 20],
      [15, 90],
    ] as const)
      hours.add({ atMs: at('2026-01-05T00:00:00') + (day * 24 + hour) * HOUR_MS, value: value + day });
  expect(hours.expected(at('2026-01-12T09:20:00'))).toEqual({ median: 13, scale: 1.4826 * 9 });
});

test('fewer than eight comparable hours expect nothing', () => {
  const hours = createSameHour();
  for (const hour of [8, 9, 10, 32, 33, 34, 56])
    hours.add({ atMs: at('2026-01-05T00:00:00') + hour * HOUR_MS, value: 1 });
  expect(hours.expected(at('2026-01-09T09:00:00'))).toBeNull();
  hours.add({ atMs: at('2026-01-07T09:00:00'), value: 1 });
  expect(hours.expected(at('2026-01-08T09:00:00'))).toEqual({ median: 1, scale: 0 });
});
