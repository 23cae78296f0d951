import { expect, test } from 'vitest';
import type { MetricType } from '../../../src/contract/guardian.ts';
import type { Measured, MetricWindow } from '../../../src/guardian/metrics/metric-window.ts';
import { NO_DISPERSION } from '../../../src/guardian/statistics/dispersion.ts';
import { assessTrend, isActive } from '../../../src/guardian/trends/trend.ts';
import { newTrendState, type TrendState } from '../../../src/guardian/trends/trend-state.ts';
import type { Deviations } from '../../../src/guardian/trends/usual-days.ts';

const HOUR_MS = 3_600_000;
const NOW_MS = Date.parse('2026-03-26T11:00:00Z');

const count = (value: number): Measured => ({ kind: 'count', value, count: value, exposure: 1 });
const duration = (value: number): Measured => ({ kind: 'duration', value });
const share = (hits: number): Measured => ({ kind: 'ratio', value: hits / 20, hits, total: 20 });
const counts = (...values: number[]) => values.map(count);
const durations = (...values: number[]) => values.map(duration);
const shares = (...values: number[]) => values.map(share);
const same = (measured: Measured, times: number): Measured[] => new Array<Measured>(times).fill(measured);

function windowAt(fromMs: number, measured: Measured | null): MetricWindow {
  return { fromMs, upMs: HOUR_MS, measured };
}

type Story = { type: MetricType; before: Measured[]; now: Measured | null; state?: TrendState };

/** Assesses the hour from 10 to 11, `before` being that hour on earlier days. */
function assess({ type, before, now, state = settled }: Story) {
  return assessTrend(
    {
      metricType: type,
      window: '1h',
      current: windowAt(NOW_MS - HOUR_MS, now),
      candidates: {
        seasonal: before.map((measured, index) => windowAt(NOW_MS - HOUR_MS - (index + 1) * 24 * HOUR_MS, measured)),
        trailing: [],
      },
    },
    state,
  );
}
/** Fourteen days in which nothing was worth telling. */
const settled: TrendState = {
  ...newTrendState,
  days: {
    fromMs: NOW_MS - 24 * HOUR_MS,
    today: { z: 0, shift: 0 },
    earlier: new Array<Deviations>(14).fill({ z: 0, shift: 0 }),
  },
};
const remembering = (...zScores: number[]): TrendState => ({
  ...settled,
  zScores,
  lastWholeMs: NOW_MS - HOUR_MS,
});

const usual = counts(18, 22, 20, 19, 21, 20, 23, 17, 20, 20);
const latencies = durations(900, 1000, 1100, 950, 1050, 1000, 880, 1120, 1000, 1000);
const slightlyUp = remembering(...new Array<number>(8).fill(1.6));
const slightlyDown = remembering(...new Array<number>(8).fill(-1.6));

type Told = [name: string, story: Partial<Story> & { type: MetricType }, loud: Partial<Story>, silent: Partial<Story>];

const told: Told[] = [
  ['new_activity', { type: 'high_risk_executions', before: same(count(0), 28) }, { now: count(3) }, { now: count(2) }],
  ['went_quiet', { type: 'action_rate', now: count(0) }, { before: usual }, { before: same(count(2), 10) }],
  [
    'shift_up',
    { type: 'action_latency_p95', before: latencies, now: duration(1300) },
    { state: slightlyUp },
    { state: settled },
  ],
  [
    'shift_down',
    { type: 'action_latency_p95', before: latencies, now: duration(720) },
    { state: slightlyDown },
    { state: settled },
  ],
  ['spike', { type: 'action_rate', before: usual }, { now: count(45) }, { now: count(26) }],
  [
    'drop',
    { type: 'action_success_rate', before: shares(19, 20, 19, 18, 19, 20, 19, 19) },
    { now: share(6) },
    { now: share(17) },
  ],
];

const complete = (parts: Partial<Story> & { type: MetricType }): Story => ({ before: usual, now: null, ...parts });

test.each(told)('%s is told, and its harmless likeness is not', (name, story, loud, silent) => {
  const [one, other] = [loud, silent].map((part) => assess(complete({ ...story, ...part })).trend);
  expect([one?.classification, other?.classification]).toEqual([name, 'stable']);
});

test('what is new is no warning by itself, as failures are', () => {
  const before = same(share(0), 10);
  const severityOf = (type: MetricType) => assess({ type, before, now: share(19) }).trend.severity;
  expect(severityOf('novel_action_share')).toBe('info');
  expect(severityOf('action_retry_rate')).toBe('high');
});

test.each([
  [82, 'warning'],
  [256, 'warning'],
  [257, 'high'],
])('%d captures where fifty are usual, the third such hour in a row, have the severity %s', (now, severity) => {
  const state = { ...settled, unusualAtMs: [NOW_MS - 2 * HOUR_MS, NOW_MS - HOUR_MS], lastWholeMs: NOW_MS - HOUR_MS };
  const before = counts(40, 50, 45, 55, 48, 52, 47, 53, 49, 51);
  expect(assess({ type: 'screen_capture_rate', before, now: count(now), state }).trend.severity).toBe(severity);
});

test('a rate that is fine on any desktop is no warning, however seldom it comes on this one', () => {
  const none = same(count(0), 10);
  const captures = (value: number) => assess({ type: 'screen_capture_rate', before: none, now: count(value) }).trend;
  expect([captures(60), captures(61)]).toMatchObject([
    { effect: 'worsening', severity: 'info', openedAtMs: NOW_MS },
    { effect: 'worsening', severity: 'high', openedAtMs: NOW_MS },
  ]);
  const quarter = (value: number): Measured => ({ kind: 'count', value: 4 * value, count: value, exposure: 0.25 });
  const inQuarter = (value: number) =>
    assess({ type: 'screen_capture_rate', before: same(quarter(0), 10), now: quarter(value) }).trend.severity;
  expect([inQuarter(60), inQuarter(61)]).toEqual(['info', 'high']);
  expect(assess({ type: 'action_rate', before: none, now: count(60) }).trend).toMatchObject({ openedAtMs: NOW_MS });
});

test('what has no baseline, or no value, is insufficient data and not a calm one', () => {
  const young = assess({ type: 'action_rate', before: usual.slice(0, 7), now: count(45) }).trend;
  const gap = assess({ type: 'action_rate', before: usual, now: null }).trend;
  expect([young.classification, young.zScore, gap.classification, gap.current]).toEqual([
    'insufficient_data',
    null,
    'insufficient_data',
    null,
  ]);
});

test.each([
  [1, 0.5],
  [0.5, 0.25],
  // More of the hour than usual makes nobody surer.
  [2, 0.5],
])('an hour with %d times the usual up-time has the confidence %d', (times, confidence) => {
  const windows = shares(...new Array(14).fill(19)).map((measured, index) =>
    windowAt(NOW_MS - HOUR_MS - (index + 1) * 24 * HOUR_MS, measured),
  );
  const usualMs = HOUR_MS / 2;
  const { trend } = assessTrend(
    {
      metricType: 'action_success_rate',
      window: '1h',
      current: { ...windowAt(NOW_MS - HOUR_MS, share(19)), upMs: times * usualMs },
      candidates: { seasonal: windows.map((each) => ({ ...each, upMs: usualMs })), trailing: [] },
    },
    settled,
  );
  expect(trend.confidence).toBe(confidence);
});

test('a trend says all of what it found', () => {
  const { trend, state } = assess({
    type: 'action_success_rate',
    before: shares(...new Array(14).fill(19)),
    now: share(4),
  });
  expect(trend).toEqual({
    metricType: 'action_success_rate',
    window: '1h',
    classification: 'drop',
    zScore: expect.closeTo(-5.64, 2),
    changePercent: expect.closeTo(-78.9, 1),
    changePoints: expect.closeTo(-75, 9),
    changeKind: 'percent',
    effect: 'worsening',
    confidence: 0.5,
    baseline: { kind: 'seasonal', windows: 14, median: 0.95 },
    current: 0.2,
    openedAtMs: NOW_MS,
    severity: 'info',
  });
  expect(state.open).toEqual({
    direction: 'down',
    by: 'spike',
    openedAtMs: NOW_MS,
    calmWindows: 0,
    isConfirmed: false,
    dispersion: NO_DISPERSION,
  });
});

test('a trend for the better, and one not yet confirmed, are for information only', () => {
  const better = assess({ type: 'action_latency_p95', before: latencies, now: duration(200) }).trend;
  const unconfirmed = assess({ type: 'action_latency_p95', before: latencies, now: duration(2500) }).trend;
  expect(
    [better, unconfirmed].map(({ classification, effect, severity }) => [classification, effect, severity]),
  ).toEqual([
    ['drop', 'improving', 'info'],
    ['spike', 'worsening', 'info'],
  ]);
});

/** Two hours ago. */
const spike = { by: 'spike', openedAtMs: NOW_MS - 2 * HOUR_MS, isConfirmed: true, dispersion: NO_DISPERSION } as const;

test('an open trend keeps its name while windows lie far enough to its side, and is not listed in others', () => {
  const open = { ...spike, direction: 'up', calmWindows: 1 } as const;
  const shown = (actions: number) => {
    const state = { ...remembering(5, 0, 0, 0), open };
    const after = assess({ type: 'action_rate', before: usual, now: count(actions), state });
    return [after.trend.classification, after.trend.openedAtMs, after.state.open?.calmWindows];
  };
  expect([30, 23, 20, 9].map(shown)).toEqual([
    ['spike', NOW_MS - 2 * HOUR_MS, 0],
    ['stable', null, 2],
    ['stable', null, 2],
    ['stable', null, 2],
  ]);
});

test('an open shift keeps its name in a calm window to its side, as long as the mean of its windows has not calmed down', () => {
  const open = { ...spike, by: 'shift', direction: 'up', calmWindows: 0 } as const;
  const shown = (actions: number, zScores: readonly number[]) =>
    assess({ type: 'action_rate', before: usual, now: count(actions), state: { ...remembering(...zScores), open } })
      .trend.classification;
  expect([shown(24, [2, 2, 2]), shown(24, [0, 0, 0]), shown(21, [2, 2, 2]), shown(16, [2, 2, 2])]).toEqual([
    'shift_up',
    'stable',
    'stable',
    'stable',
  ]);
});

test('windows whose mean has shifted up are not called so in a window that lies low', () => {
  const state = remembering(...new Array<number>(12).fill(4));
  const called = (actions: number) =>
    assess({ type: 'action_rate', before: usual, now: count(actions), state }).trend.classification;
  expect([called(24), called(16)]).toEqual(['shift_up', 'stable']);
});

test('while it cools down a departure is still named, but does not open', () => {
  const cooledAtMs = { up: NOW_MS + HOUR_MS, down: 0 };
  const { trend } = assess({
    type: 'action_rate',
    before: usual,
    now: count(45),
    state: { ...settled, cooledAtMs },
  });
  expect([trend.classification, trend.openedAtMs, trend.severity]).toEqual(['spike', null, 'info']);
});

test('windows since a trend opened are left out of the baseline for a day, and then count', () => {
  const before = [...counts(90, 90, 90), ...usual];
  const openSince = (hours: number): TrendState => ({
    ...remembering(5),
    open: {
      direction: 'up',
      by: 'spike',
      openedAtMs: NOW_MS - hours * HOUR_MS,
      calmWindows: 0,
      isConfirmed: true,
      dispersion: NO_DISPERSION,
    },
  });
  const windows = (hours: number) => {
    const hourly = before.map((measured, index) => windowAt(NOW_MS - (index + 3) * HOUR_MS, measured));
    return assessTrend(
      {
        metricType: 'action_rate',
        window: '1h',
        current: windowAt(NOW_MS - HOUR_MS, count(20)),
        candidates: { seasonal: [], trailing: hourly },
      },
      openSince(hours),
    ).trend.baseline.windows;
  };
  expect([windows(5), windows(25)]).toEqual([10, 13]);
});

test('stable and insufficient are not active, anything else is', () => {
  const trends = [
    assess({ type: 'action_rate', before: usual, now: count(20) }),
    assess({ type: 'action_rate', before: [], now: count(20) }),
    assess({ type: 'action_rate', before: usual, now: count(45) }),
  ];
  expect(trends.map(({ trend }) => isActive(trend))).toEqual([false, false, true]);
});
