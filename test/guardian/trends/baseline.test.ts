import { expect, test } from 'vitest';
import type { MetricWindow, TrendWindow } from '../../../src/guardian/metrics/metric-window.ts';
import { baselineStarts, leastUpMs, selectBaseline } from '../../../src/guardian/trends/baseline.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const THURSDAY_TEN = Date.parse('2026-03-26T10:05:00Z');
const text = (ms: number) => new Date(ms).toISOString().slice(5, 16);
const utc = { fromMs: THURSDAY_TEN, utcOffset: () => 0 };

function windows(count: number, value: number, part: Partial<MetricWindow> = {}): MetricWindow[] {
  return Array.from({ length: count }, (_, index) => ({
    fromMs: -index * HOUR_MS,
    upMs: HOUR_MS,
    measured: { kind: 'duration', value },
    ...part,
  }));
}
const hour = { window: '1h', upMs: HOUR_MS, leftOut: () => false } as const;

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
  const inTokyo = baselineStarts({ fromMs: fridayEvening, window: '5m', utcOffset: () => 9 * HOUR_MS }).seasonal;
  expect(inTokyo.slice(0, 3).map(text)).toEqual(['03-21T23:30', '03-20T23:30', '03-14T23:30']);
});

test('the same time is that on the wall, before and after the clock changed', () => {
  const changeMs = Date.parse('2026-03-29T01:00:00Z');
  const utcOffset = (atMs: number) => (atMs < changeMs ? 1 : 2) * HOUR_MS;
  const starts = (from: string) =>
    baselineStarts({ fromMs: Date.parse(from), window: '24h', utcOffset })
      .seasonal.slice(0, 4)
      .map(text);
  expect(starts('2026-03-31T08:00:00Z')).toEqual(['03-30T08:00', '03-27T09:00', '03-26T09:00', '03-25T09:00']);
});

test('longer windows are never taken so close that they overlap, and weeks have no season', () => {
  const six = baselineStarts({ ...utc, window: '6h' }).seasonal;
  const day = baselineStarts({ ...utc, window: '24h' }).seasonal;
  expect([six.length, six.every((start) => (THURSDAY_TEN - start) % DAY_MS === 0)]).toEqual([20, true]);
  expect(day).toEqual(six);
  expect([
    baselineStarts({ ...utc, window: '7d' }).seasonal,
    baselineStarts({ ...utc, window: '30d' }).seasonal,
  ]).toEqual([[], []]);
});

test('trailing windows are the 28 before, without the one just before', () => {
  const { trailing } = baselineStarts({ ...utc, window: '15m' });
  expect(trailing.map((start) => (THURSDAY_TEN - start) / (HOUR_MS / 4))).toEqual(
    Array.from({ length: 28 }, (_, index) => index + 2),
  );
});

test('eight seasonal windows are enough, and at most the best 28 are taken', () => {
  const few = selectBaseline({ seasonal: windows(8, 5), trailing: windows(28, 7) }, hour);
  const many = selectBaseline({ seasonal: [...windows(28, 5), ...windows(20, 900)], trailing: [] }, hour);
  expect(few).toMatchObject({ kind: 'seasonal', median: 5 });
  expect([many?.measured.length, many?.median]).toEqual([28, 5]);
});

test('without eight seasonal windows the trailing ones serve, and without those nothing does', () => {
  expect(selectBaseline({ seasonal: windows(7, 5), trailing: windows(8, 7) }, hour)).toMatchObject({
    kind: 'trailing',
    median: 7,
  });
  expect(selectBaseline({ seasonal: windows(7, 5), trailing: windows(7, 7) }, hour)).toBeNull();
});

test('gaps, windows of much less up-time and those an open trend distorts do not count', () => {
  const seasonal = [
    ...windows(4, 5),
    ...windows(1, 900, { upMs: 0.49 * HOUR_MS }),
    ...windows(1, 900, { measured: null }),
    ...windows(1, 900, { fromMs: 1 }),
    ...windows(4, 6, { upMs: 0.5 * HOUR_MS }),
  ];
  const baseline = selectBaseline({ seasonal, trailing: [] }, { ...hour, leftOut: ({ fromMs }) => fromMs === 1 });
  expect(baseline?.measured.map(({ value }) => value)).toEqual([5, 5, 5, 5, 6, 6, 6, 6]);
});

test('windows are compared whose up-time is between half of it and twice as long', () => {
  const usedFor = (upMs: number, current: number) =>
    selectBaseline({ seasonal: windows(8, 5, { upMs }), trailing: [] }, { ...hour, window: '24h', upMs: current }) !==
    null;
  const [nine, day] = [9 * HOUR_MS, 24 * HOUR_MS];
  expect([usedFor(nine, nine), usedFor(nine, nine / 2), usedFor(nine, nine / 2 - 1)]).toEqual([true, true, false]);
  expect([usedFor(nine, 2 * nine), usedFor(nine, 2 * nine + 1), usedFor(nine, day)]).toEqual([true, false, false]);
});

test('a window that is not measured has the baseline of all that are', () => {
  const seasonal = [...windows(4, 5, { upMs: 9 * HOUR_MS }), ...windows(4, 5, { upMs: 2 * HOUR_MS })];
  const baseline = (upMs: number | null) =>
    selectBaseline({ seasonal, trailing: [] }, { ...hour, window: '24h', upMs });
  expect([baseline(null)?.measured.length, baseline(9 * HOUR_MS)]).toEqual([8, null]);
});

test('a window is measured from half of it on, or from a quarter of an hour', () => {
  const minutes = (['5m', '15m', '1h', '24h'] as const).map((window) => leastUpMs(window) / 60_000);
  expect(minutes).toEqual([2.5, 7.5, 15, 15]);
  const ofUpTime = (upMs: number) =>
    selectBaseline({ seasonal: windows(8, 5, { upMs }), trailing: [] }, { ...hour, upMs: null }) !== null;
  expect([ofUpTime(HOUR_MS / 4), ofUpTime(HOUR_MS / 4 - 1)]).toEqual([true, false]);
});

test('four weeks or months are enough, where of days it takes eight', () => {
  const enough = (window: TrendWindow, count: number) =>
    selectBaseline({ seasonal: [], trailing: windows(count, 5) }, { ...hour, window }) !== null;
  expect([enough('7d', 4), enough('7d', 3), enough('30d', 4), enough('24h', 8), enough('24h', 7)]).toEqual([
    true,
    false,
    true,
    true,
    false,
  ]);
});
