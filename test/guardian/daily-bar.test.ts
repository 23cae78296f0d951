import { expect, test } from 'vitest';
import { createDailyBar } from '../../src/guardian/daily-bar.ts';

const HOUR_MS = 3_600_000;

/** The ratio of a deviation of 13 after days with the given largest deviations. */
function ratioAfter(maxima: readonly number[]): number {
  const bar = createDailyBar();
  for (const [day, maximum] of maxima.entries())
    for (const deviation of [0, maximum, 1]) bar.ratio({ atMs: day * 24 * HOUR_MS, deviation });
  return bar.ratio({ atMs: maxima.length * 24 * HOUR_MS, deviation: 13 });
}

test('the bar is 1.3 times what nine days in ten do not exceed', () => {
  expect(ratioAfter([...new Array<number>(19).fill(10), 100])).toBeCloseTo(1, 12);
});

test('what one day in seven brings is ordinary', () => {
  const week = [10, 10, 10, 10, 10, 10, 40];
  expect(ratioAfter([...week, ...week, ...week, ...week])).toBeCloseTo(13 / (1.3 * 40), 12);
});

test('the bar is at least 5', () => {
  expect(ratioAfter([1, 1, 1])).toBeCloseTo(13 / 5, 12);
});

test('nothing is unusual before two days have passed', () => {
  expect([ratioAfter([]), ratioAfter([1]), ratioAfter([1, 1])]).toEqual([0, 0, 13 / 5]);
});

test('days longer ago than 28 are forgotten', () => {
  expect(ratioAfter([...new Array<number>(28).fill(1000), ...new Array<number>(28).fill(10)])).toBeCloseTo(1, 12);
});

test('a day without observations counts for none', () => {
  const bar = createDailyBar();
  bar.ratio({ atMs: 0, deviation: 10 });
  bar.ratio({ atMs: 90 * HOUR_MS, deviation: 10 });
  expect(bar.ratio({ atMs: 114 * HOUR_MS, deviation: 13 })).toBeCloseTo(1, 12);
});
