import { expect, test } from 'vitest';
import { hasLeastEffect, metricZ } from '../../../src/guardian/metrics/metric-deviation.ts';
import type { Measured } from '../../../src/guardian/metrics/metric-window.ts';
import { countZ } from '../../../src/guardian/statistics/count-deviation.ts';
import { zOfRatio } from '../../../src/guardian/statistics/ratio-deviation.ts';
import { entropyZ, gaugeZ, zOfDuration } from '../../../src/guardian/statistics/robust-deviation.ts';

const count = (value: number): Measured => ({ kind: 'count', value: value * 4, count: value, exposure: 1 });
const ratio = (hits: number): Measured => ({ kind: 'ratio', value: hits / 50, hits, total: 50 });
const plain = (kind: 'duration' | 'gauge' | 'entropy') => (value: number) => ({ kind, value });

test('each kind has the z-score made for it, counts by their events and not by their rate', () => {
  const base = [2, 3, 2, 1, 2, 3, 2, 4];
  const shares = base.map((hits) => ({ hits, total: 50 }));
  expect([
    metricZ(count(9), base.map(count)),
    metricZ(ratio(9), base.map(ratio)),
    metricZ(plain('duration')(9), base.map(plain('duration'))),
    metricZ(plain('gauge')(9), base.map(plain('gauge'))),
    metricZ(plain('entropy')(9), base.map(plain('entropy'))),
  ]).toEqual([
    countZ(
      { count: 9, exposure: 1 },
      base.map((each) => ({ count: each, exposure: 1 })),
    ),
    zOfRatio(shares)({ hits: 9, total: 50 }),
    zOfDuration(base)(9),
    gaugeZ(9, base),
    entropyZ(9, base),
  ]);
});

test.each([
  ['3 events, not 2', [count(0)], count(3), count(2)],
  ['5 points, not 4', [ratio(40)], ratio(37), ratio(38)],
  ['half a bit, not less', [plain('entropy')(2)], plain('entropy')(2.5), plain('entropy')(2.49)],
  ['5 points of time, not 4', [plain('gauge')(1)], plain('gauge')(0.95), plain('gauge')(0.96)],
  ['a quarter of a duration, not less', [plain('duration')(1000)], plain('duration')(1250), plain('duration')(1240)],
  ['100 ms, though 99 is a quarter', [plain('duration')(40)], plain('duration')(140), plain('duration')(139)],
])('worth telling is %s', (_, baseline, enough, tooLittle) => {
  const isWorthTelling = (current: Measured) =>
    hasLeastEffect(current, { baseline, z: Math.sign(current.value - (baseline[0]?.value ?? 0)) });
  expect([isWorthTelling(enough), isWorthTelling(tooLittle)]).toEqual([true, false]);
});

test('a change is not worth telling where the z-score points the other way', () => {
  const baseline = [10, 10, 10, 900, 900].map(count);
  expect([1, -1].map((z) => hasLeastEffect(count(100), { baseline, z }))).toEqual([true, false]);
});
