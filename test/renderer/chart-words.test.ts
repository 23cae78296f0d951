import { expect, test } from 'vitest';
import { offStretches } from '../../renderer/src/charts/marks.ts';
import { outcomeData } from '../../renderer/src/charts/OutcomePlot.tsx';
import { outcomeSummary } from '../../renderer/src/charts/outcome-words.ts';
import { sinceWords, stepWords, timeWords } from '../../renderer/src/charts/point-words.ts';
import { seriesSummary } from '../../renderer/src/charts/SeriesChart.tsx';
import type { OutcomePoint, SeriesPoint } from '../../src/contract/console-series.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const startMs = Date.parse('2026-03-02T00:00:00.000Z');
const at = (index: number) => new Date(startMs + index * HOUR_MS).toISOString();

function points(values: readonly (number | null)[], usual?: SeriesPoint['usual']): SeriesPoint[] {
  return values.map((value, index) => ({
    at: at(index),
    value,
    sampleSize: 1,
    coverage: 1,
    ...(usual !== undefined && { usual }),
  }));
}

function outcome(overrides: Partial<OutcomePoint>, index = 0): OutcomePoint {
  const none = { succeeded: 0, failed: 0, denied: 0, notDone: 0, prompts: 0, pauses: 0, coverage: 1 };
  return { at: at(index), ...none, ...overrides };
}

const summary = (given: readonly SeriesPoint[]) =>
  seriesSummary({
    name: 'Prompts',
    points: given,
    words: (value) => String(value),
    time: (point) => `${(Date.parse(point.at) - startMs) / HOUR_MS} h`,
  });

test('the text alternative of a metric tells its extremes, its latest value and how often it was unusual', () => {
  expect(summary(points([4, null, 9, 2], { low: 3, high: 5 }))).toBe(
    'Prompts. Lowest 2 (3 h), highest 9 (2 h), latest 2. 2 of 3 values are outside their usual range.',
  );
  expect(summary(points([3, 5], { low: 3, high: 5 }))).toContain('Every value is within its usual range.');
  expect(summary(points([7, 7], null))).toBe(
    'Prompts. It was 7 all the time. There are not enough earlier days to say what is usual.',
  );
  expect(summary(points([null, 7], null))).toBe(
    'Prompts. The only value is 7 (1 h). There are not enough earlier days to say what is usual.',
  );
  expect(summary(points([null]))).toBe('Prompts: there is no data in this window yet.');
});

test('the text alternative of outcomes counts them, the prompts and the pauses', () => {
  const series = (given: readonly OutcomePoint[]) => ({
    window: { from: at(0), to: at(2), length: 2 * HOUR_MS },
    stepMs: HOUR_MS,
    points: [...given],
  });
  expect(outcomeSummary(series([outcome({ succeeded: 3, prompts: 1 }), outcome({ failed: 2, pauses: 2 }, 1)]))).toBe(
    'Actions that ended: 3 succeeded, 2 failed. 1 prompt came. You paused everything 2 times.',
  );
  expect(outcomeSummary(series([outcome({})]))).toBe('No actions ended and no prompts came in the last 2 hours.');
});

test('bars are stacked in the middle of their hour, and a part of nothing has no bar', () => {
  const points = [outcome({ succeeded: 5, failed: 2, notDone: 1 }), outcome({ prompts: 3 }, 1)];
  const [middles, all, denied, failed, succeeded, prompts] = outcomeData(points, HOUR_MS);
  expect(middles).toEqual([0.5, 1.5].map((hours) => (startMs + hours * HOUR_MS) / 1_000));
  expect([all, denied, failed, succeeded, prompts]).toEqual([
    [8, null],
    [null, null],
    [7, null],
    [5, null],
    [null, 3],
  ]);
});

test('neighbouring parts without the daemon are one stretch', () => {
  const given = [0, 0, 1, 0].map((coverage, index) => ({ at: at(index), coverage }));
  const seconds = (index: number) => (startMs + index * HOUR_MS) / 1_000;
  expect(offStretches(given, HOUR_MS)).toEqual([
    { from: seconds(0), to: seconds(2) },
    { from: seconds(3), to: seconds(4) },
  ]);
});

test('times are as exact as the window needs', () => {
  const noon = new Date(2026, 2, 2, 12).toISOString();
  expect(timeWords(noon, { stepMs: HOUR_MS, lengthMs: DAY_MS })).toBe('12:00');
  expect(timeWords(noon, { stepMs: HOUR_MS, lengthMs: 7 * DAY_MS })).toBe('Mon 2 Mar, 12:00');
  expect(timeWords(noon, { stepMs: DAY_MS, lengthMs: 90 * DAY_MS })).toBe('Mon 2 Mar');
  expect([60_000, 300_000, HOUR_MS, 6 * HOUR_MS, DAY_MS].map(stepWords)).toEqual([
    'minute',
    '5 minutes',
    'hour',
    '6 hours',
    'day',
  ]);
});

test('a chart that has data of a part of its window says since when', () => {
  const span = { stepMs: HOUR_MS, lengthMs: DAY_MS };
  const points = (known: readonly boolean[]) =>
    known.map((isKnown, hour) => ({ at: new Date(2026, 2, 2, 12 + hour).toISOString(), isKnown }));
  expect(sinceWords(points([false, true, false, true]), span)).toBe('since 13:00');
  expect(sinceWords(points([true, false]), span)).toBeUndefined();
  expect(sinceWords(points([false, false]), span)).toBeUndefined();
});
