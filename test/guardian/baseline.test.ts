import { expect, test } from 'vitest';
import { baselineStarts, selectBaseline } from '../../src/guardian/baseline.ts';
import type { MetricWindow } from '../../src/guardian/metric-window.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const THURSDAY_TEN = Date.parse('2026-03-26T10:05:00Z');
const text = (ms: number) => new Date(ms).toISOString().slice(5, 16);
const utc = { fromMs: THURSDAY_TEN, utcOffsetMs: 0 };

function windows(count: number, value: number, part: Partial<MetricWindow> = {}): MetricWindow[] {
  return Array.from({ length: count }, (_, index) => ({
    fromMs: -index * HOUR_MS,
    coverage: 1,
    measured: { kind: 'duration', value },
    ...part,
  }));
}
const all = () => false;

test('a five-minute window is compared with the same five minutes of workdays, then with those an hour beside', () => {
  const { seasonal } = baselineStarts({ ...utc, window: '5m' });
  expect(seasonal.length).toBe(60);
  expect(seasonal.slice(0, 6).map(text)).toEqual([
    '03-25T10:05',
    '03-24T10:05',
    '03-23T10:05',
    '03-20T10:05',
    '03-19T10:05',
    '03-18T10:05',
  ]);
  expect([seasonal[20], seasonal[40]].map((ms) => text(ms ?? 0))).toEqual(['03-25T09:05', '03-25T11:05']);
});

test('which days are weekends is decided where the person is', () => {
  const fridayEvening = Date.parse('2026-03-27T23:30:00Z');
  const inTokyo = baselineStarts({ fromMs: fridayEvening, window: '5m', utcOffsetMs: 9 * HOUR_MS }).seasonal;
  expect(inTokyo.slice(0, 3).map(text)).toEqual(['03-21T23:30', '03-20T23:30', '03-14T23:30']);
});

test('longer windows are never taken so close that they overlap', () => {
  const six = baselineStarts({ ...utc, window: '6h' }).seasonal;
  const week = baselineStarts({ ...utc, window: '7d' }).seasonal;
  expect([six.length, six.every((start) => (THURSDAY_TEN - start) % DAY_MS === 0)]).toEqual([20, true]);
  expect(week.map((start) => (THURSDAY_TEN - start) / DAY_MS)).toEqual([7, 14, 21, 28]);
});

test('trailing windows are the 28 before, without the one just before', () => {
  const { trailing } = baselineStarts({ ...utc, window: '15m' });
  expect(trailing.map((start) => (THURSDAY_TEN - start) / (HOUR_MS / 4))).toEqual(
    Array.from({ length: 28 }, (_, index) => index + 2),
  );
});

test('eight seasonal windows are enough, and at most the best 28 are taken', () => {
  const few = selectBaseline({ seasonal: windows(8, 5), trailing: windows(28, 7) }, all);
  const many = selectBaseline({ seasonal: [...windows(28, 5), ...windows(20, 900)], trailing: [] }, all);
  expect(few).toMatchObject({ kind: 'seasonal', median: 5 });
  expect([many?.measured.length, many?.median]).toEqual([28, 5]);
});

test('without eight seasonal windows the trailing ones serve, and without those nothing does', () => {
  expect(selectBaseline({ seasonal: windows(7, 5), trailing: windows(8, 7) }, all)).toMatchObject({
    kind: 'trailing',
    median: 7,
  });
  expect(selectBaseline({ seasonal: windows(7, 5), trailing: windows(7, 7) }, all)).toBeNull();
});

test('gaps, windows hardly covered and those an open trend distorts do not count', () => {
  const seasonal = [
    ...windows(4, 5),
    ...windows(1, 900, { coverage: 0.49 }),
    ...windows(1, 900, { measured: null }),
    ...windows(1, 900, { fromMs: 1 }),
    ...windows(4, 6, { coverage: 0.5 }),
  ];
  const baseline = selectBaseline({ seasonal, trailing: [] }, ({ fromMs }) => fromMs === 1);
  expect(baseline?.measured.map(({ value }) => value)).toEqual([5, 5, 5, 5, 6, 6, 6, 6]);
});
