import { expect, test } from 'vitest';
import type { MetricType } from '../../../src/contract/guardian.ts';
import { measuredOf, type Recorded } from '../../../src/guardian/recording/metrics.ts';
import { addValue, type LogHistogram } from '../../../src/guardian/recording/rollup.ts';
import { isActive, trendOf, zScore } from '../../../src/guardian/trends/trend.ts';
import { createChance } from '../../bench/simulation/chance.ts';
import { dayWith } from '../windows.ts';

const days = (count: number, of: (index: number) => Recorded) => Array.from({ length: count }, (_, index) => of(index));
const trend = (type: MetricType, current: Recorded, earlier: readonly Recorded[]) =>
  trendOf(type, { window: '24h', current, earlier });

const usual = days(20, (index) =>
  dayWith({ requested: 90 + (index % 5) * 5, executedHigh: index % 3, failed: 2, succeeded: 48 }),
);

test.each<[string, MetricType, Recorded, object]>([
  [
    'the usual number',
    'action_rate',
    dayWith({ requested: 105 }),
    { classification: 'stable', effect: 'neutral', changePercent: 5 },
  ],
  [
    'three times as many',
    'action_rate',
    dayWith({ requested: 300 }),
    { classification: 'spike', changePercent: 200, effect: 'neutral' },
  ],
  ['none', 'action_rate', dayWith({}), { classification: 'went_quiet', zScore: -8, changePercent: -100 }],
  [
    'twelve scripts',
    'high_risk_executions',
    dayWith({ executedHigh: 12 }),
    { classification: 'spike', effect: 'worsening' },
  ],
  [
    'the first deletions',
    'irreversible_executions',
    dayWith({ executedIrreversible: 9 }),
    { classification: 'new_activity', changePercent: null },
  ],
  [
    'many failures',
    'action_success_rate',
    dayWith({ succeeded: 30, failed: 20 }),
    { classification: 'drop', effect: 'worsening', changePercent: -37.5 },
  ],
  [
    'too few to tell',
    'action_success_rate',
    dayWith({ succeeded: 3 }),
    { classification: 'insufficient_data', zScore: null },
  ],
])('%s: %s', (_what, type, current, expected) => {
  expect(trend(type, current, usual)).toMatchObject(expected);
});

test('a day is compared with eight days at least, and a month with four months', () => {
  const current = dayWith({ requested: 300 });
  const of = (window: '24h' | '30d', count: number) =>
    isActive(trendOf('action_rate', { window, current, earlier: usual.slice(0, count) }));
  expect([of('24h', 7), of('24h', 8), of('30d', 3), of('30d', 4)]).toEqual([false, true, false, true]);
});

test('counts are compared at the same up-time, and a peak as it is', () => {
  const short = dayWith({ requested: 50 }, { upHours: 4, burstPeak: 10 });
  const before = usual.map((day) => ({ ...day, rollup: { ...day.rollup, burstPeak: 10 } }));
  expect(trend('action_rate', short, before)).toMatchObject({ classification: 'stable', changePercent: 0 });
  expect(trend('action_burst_peak', short, before)).toMatchObject({ classification: 'stable', changePercent: 0 });
});

test('durations are compared as ratios, and at least 100 ms apart', () => {
  const taking = (ms: number) => {
    const executionMs: LogHistogram = {};
    for (let index = 0; index < 30; index += 1) addValue(executionMs, ms);
    return dayWith({ requested: 30 }, { executionMs });
  };
  const of = (ms: number, before: number) =>
    trend(
      'action_latency_p95',
      taking(ms),
      days(20, (index) => taking(before * (1 + (index % 3) / 20))),
    ).classification;
  expect([of(2_000, 500), of(520, 500), of(20, 5), of(100, 500)]).toEqual(['spike', 'stable', 'stable', 'drop']);
});

test('a normal history of counts is beyond z 3.5 less often than once in 200 windows', () => {
  const chance = createChance(7);
  const draw = () =>
    measuredOf('action_rate', dayWith({ requested: Math.round(chance.poisson(40) * chance.around(1, 0.3)) }));
  const beyond = days(2_000, () => dayWith({})).filter(() => {
    const [current, ...before] = Array.from({ length: 21 }, draw).filter((each) => each !== null);
    return current !== undefined && Math.abs(zScore(current, before)) >= 3.5;
  });
  expect(beyond.length).toBeLessThan(10);
});
