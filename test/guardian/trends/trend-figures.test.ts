import { expect, test } from 'vitest';
import { METRIC_TYPES } from '../../../src/contract/guardian.ts';
import type { Measured } from '../../../src/guardian/metrics/metric-window.ts';
import type { Dispersion } from '../../../src/guardian/statistics/dispersion.ts';
import { assessWindow } from '../../../src/guardian/trends/assess-window.ts';
import { baselineStarts } from '../../../src/guardian/trends/baseline.ts';
import { changeFrom } from '../../../src/guardian/trends/change.ts';
import { newTrendState, nextTrendState } from '../../../src/guardian/trends/trend-state.ts';
import { barOf, type Deviations, type UsualDays, withDeviations } from '../../../src/guardian/trends/usual-days.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const count = (value: number): Measured => ({ kind: 'count', value, count: value, exposure: 1 });
const share = (hits: number): Measured => ({ kind: 'ratio', value: hits / 1_000, hits, total: 1_000 });
const other = (kind: 'gauge' | 'duration' | 'entropy') => (value: number) => ({ kind, value }) satisfies Measured;

test.each<[string, (value: number) => Measured, number, number]>([
  ['0.5 events', count, 0.49, 0.5],
  ['half a point of a ratio', share, 4, 5],
  ['half a point of a share of time', other('gauge'), 0.004_9, 0.005],
  ['a millisecond', other('duration'), 0.99, 1],
  ['a hundredth of a bit', other('entropy'), 0.009_9, 0.01],
])('a rise from less than %s has no percentage', (_name, of, less, least) => {
  const changes = [less, least].map((before) => changeFrom([of(before)], of(2 * least)).changeKind);
  expect(changes).toEqual(['from_zero', 'percent']);
});

test('a baseline looks back 28 days', () => {
  const { seasonal } = baselineStarts({ fromMs: 100 * DAY_MS, window: '24h', utcOffset: () => 0 });
  expect(Math.min(...seasonal) / DAY_MS).toBe(72);
});

test('the current window and the 28 before the last one are measured', () => {
  const measured = new Set<number>();
  const measuredFrom = (fromMs: number) => {
    measured.add(fromMs);
    return { fromMs, upMs: 0, measured: METRIC_TYPES.map(() => null) };
  };
  assessWindow({ window: '7d', toMs: 700 * DAY_MS }, { measuredFrom, stateOf: () => undefined });
  const weeksBefore = [...measured].map((fromMs) => (693 * DAY_MS - fromMs) / (7 * DAY_MS));
  expect(weeksBefore).toEqual([0, ...Array.from({ length: 28 }, (_, index) => index + 2)]);
});

const day = (z: number): Deviations => ({ z, shift: z });

test.each([
  [13, null],
  [14, { z: 1.3, shift: 1.1 }],
])('after %d days the bar is %j', (days, bar) => {
  expect(barOf({ fromMs: 0, today: day(0), earlier: new Array(days).fill(day(1)) })).toEqual(bar);
});

test('28 days are known', () => {
  let days: UsualDays | null = null;
  for (let index = 0; index < 40; index += 1) days = withDeviations(days, index * DAY_MS, day(index));
  expect(days?.earlier.map(({ z }) => z)).toEqual(Array.from({ length: 28 }, (_, index) => index + 11));
});

test('of a metric 40 z-scores are felt and 500 are kept', () => {
  const dispersion: Dispersion = { squares: 0, expected: 0 };
  let state = newTrendState;
  for (let hour = 1; hour <= 600; hour += 1) {
    const sighting = { atMs: hour * HOUR_MS, lengthMs: HOUR_MS, hasLeastEffect: false, standsAlone: true, dispersion };
    state = nextTrendState(state, { ...sighting, z: hour % 3 });
  }
  expect([state.zScores.length, state.own.z.length, state.own.shift.length]).toEqual([40, 500, 500]);
});
