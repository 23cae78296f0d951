import { expect, test } from 'vitest';
import { createDailyBar } from '../../../src/guardian/detector/daily-bar.ts';

const HOUR_MS = 3_600_000;

/** The ratio of a deviation of 13 after days with the given largest deviations. */
function ratioAfter(maxima: readonly number[], ordinaryShare = 0.7): number {
  const bar = createDailyBar({ ordinaryShare });
  for (const [day, maximum] of maxima.entries())
    for (const deviation of [0, maximum, 1]) bar.ratio({ atMs: day * 24 * HOUR_MS, deviation });
  return bar.ratio({ atMs: maxima.length * 24 * HOUR_MS, deviation: 13 });
}

test('the bar is the quantile of the daily maxima that it is created with', () => {
  const maxima = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 26];
  expect(ratioAfter(maxima, 0.5)).toBeCloseTo(13 / 6, 12);
  expect(ratioAfter(maxima, 1)).toBeCloseTo(13 / 26, 12);
});

test('a deviation of two days in seven is ordinary', () => {
  const week = [10, 10, 10, 10, 10, 40, 40];
  expect(ratioAfter([...week, ...week, ...week, ...week], 0.75)).toBeCloseTo(13 / 40, 12);
});

test('nothing is unusual before two days have passed', () => {
  expect([ratioAfter([]), ratioAfter([1]), ratioAfter([1, 1])]).toEqual([0, 0, 13]);
});

test('days longer ago than 28 are forgotten', () => {
  expect(ratioAfter([...new Array<number>(28).fill(1000), ...new Array<number>(28).fill(10)])).toBeCloseTo(1.3, 12);
});

test('a day without observations is not counted as a day without deviations', () => {
  const bar = createDailyBar({ ordinaryShare: 0.5 });
  bar.ratio({ atMs: 0, deviation: 10 });
  bar.ratio({ atMs: 90 * HOUR_MS, deviation: 10 });
  expect(bar.ratio({ atMs: 114 * HOUR_MS, deviation: 13 })).toBeCloseTo(1.3, 12);
});

test('after days without any deviation the first one has a large but finite ratio, and none has a ratio of 0', () => {
  const bar = createDailyBar({ ordinaryShare: 0.7 });
  for (let day = 0; day < 3; day += 1) bar.ratio({ atMs: day * 24 * HOUR_MS, deviation: 0 });
  const atMs = 2 * 24 * HOUR_MS + 1;
  expect([bar.ratio({ atMs, deviation: 0.1 }), bar.ratio({ atMs, deviation: 0 })]).toEqual([1_000, 0]);
});
