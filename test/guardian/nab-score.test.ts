import { expect, test } from 'vitest';
import { bestThreshold, nabScore, PROFILES, probationRows, type RowRange } from '../bench/nab-score.ts';

/** Scores of 1 at the given rows of 100, the first 15 of which are probation. */
function series(alarms: readonly number[], windows: readonly RowRange[]) {
  return { scores: Array.from({ length: 100 }, (_, row) => (alarms.includes(row) ? 1 : 0)), windows };
}

/** NAB's S(p) as it is written down: 2/(1 + e^(5p)) − 1. */
const S = (p: number) => 2 / (1 + Math.exp(5 * p)) - 1;
const window = { from: 50, to: 59 };
const scored = (alarms: readonly number[], windows = [window], profile: keyof typeof PROFILES = 'standard') =>
  nabScore([series(alarms, windows)], PROFILES[profile], 0.5);

test('an alarm in the first row of the only window is 100, silence is 0', () => {
  expect([scored([50]), scored([])]).toEqual([100, 0]);
});

test('a later alarm is worth less, the last row of ten S(−1/10)', () => {
  expect(scored([59])).toBeCloseTo((100 * (1 + S(-0.1) / S(-1))) / 2, 12);
});

test('of several alarms in a window only the best counts', () => {
  expect(scored([53, 57, 59])).toBe(scored([53]));
});

test('an alarm before any window costs the full weight', () => {
  expect(scored([50, 30])).toBeCloseTo(100 - (100 * 0.11) / 2, 12);
});

test('an alarm behind a window costs more the farther it is, in widths less one row', () => {
  expect(scored([50, 62])).toBeCloseTo(100 + (100 * 0.11 * S(3 / 9)) / 2, 12);
  expect(scored([50, 59 + 27])).toBeCloseTo(100 - (100 * 0.11) / 2, 12);
});

test('every false alarm counts, not only one', () => {
  expect(scored([50, 20, 21, 22])).toBeCloseTo(100 - (300 * 0.11) / 2, 12);
});

test('alarms in probation neither win nor cost', () => {
  expect(scored([0, 14])).toBe(0);
  expect([probationRows(100), probationRows(4999), probationRows(16_000)]).toEqual([15, 749, 750]);
});

test('a window is missed once, and weighs double in the profile that wants few misses', () => {
  const windows = [window, { from: 80, to: 89 }];
  expect(scored([50], windows)).toBe(50);
  expect(scored([50], windows, 'low FN')).toBeCloseTo(50, 12);
  expect(scored([50, 30], windows, 'low FN')).toBeCloseTo(50 - (100 * 0.11) / 6, 12);
});

test('the profile that wants few false alarms charges them double', () => {
  expect(scored([50, 30], [window], 'low FP')).toBeCloseTo(100 - (100 * 0.22) / 2, 12);
});

test('a series without windows can only lose', () => {
  const corpus = [series([50], [window]), series([40, 60], [])];
  expect(nabScore(corpus, PROFILES.standard, 0.5)).toBeCloseTo(100 - (200 * 0.11) / 2, 12);
});

test('the best threshold takes what pays and leaves what does not', () => {
  const scores = Array.from({ length: 100 }, () => 0);
  scores[55] = 0.9;
  scores[51] = 0.7;
  scores.fill(0.6, 20, 40);
  const corpus = [{ scores, windows: [window] }];
  expect(bestThreshold(corpus, PROFILES.standard)).toEqual({ threshold: 0.7, result: scored([51]) });
});

test('where every alarm is false the best is to say nothing', () => {
  const scores = Array.from({ length: 100 }, (_, row) => (row === 30 ? 0.9 : 0));
  const corpus = [{ scores, windows: [{ from: 2, to: 9 }] }];
  expect(bestThreshold(corpus, PROFILES.standard)).toEqual({ threshold: Number.POSITIVE_INFINITY, result: 0 });
});
