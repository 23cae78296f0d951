import { expect, test } from 'vitest';
import { NOTHING_USUAL, usualOf } from '../../../src/guardian/metrics/usual.ts';
import type { Recorded } from '../../../src/guardian/recording/metrics.ts';
import { surgeFloor, surgesIn } from '../../../src/guardian/risk/surge.ts';
import { dayWith } from '../windows.ts';

const usual = usualOf(
  Array.from({ length: 8 }, () =>
    dayWith({ requested: 60, executedHigh: 6, executedIrreversible: 3 }, { burstPeak: 8 }),
  ),
);

function surging(day: Recorded, of = usual): string[] {
  return surgesIn(day, of).map(({ metricType }) => metricType);
}

test('more than five times the usual amount is a surge, of each of the four kinds', () => {
  expect(surging(dayWith({ requested: 300, executedHigh: 30, executedIrreversible: 15 }, { burstPeak: 40 }))).toEqual(
    [],
  );
  expect(surging(dayWith({ requested: 301, executedHigh: 31, executedIrreversible: 16 }, { burstPeak: 41 }))).toEqual([
    'action_rate',
    'action_burst_peak',
    'high_risk_executions',
    'irreversible_executions',
  ]);
});

test('an amount that the spread of the earlier windows explains is no surge', () => {
  const restless = usualOf([1, 2, 4, 20, 30, 60, 110, 140].map((requested) => dayWith({ requested })));
  const steady = usualOf([20, 22, 24, 26, 28, 26, 24, 22].map((requested) => dayWith({ requested })));
  expect(surging(dayWith({ requested: 290 }), restless)).toEqual([]);
  expect(surging(dayWith({ requested: 290 }), steady)).toEqual(['action_rate']);
});

test('an amount below twice the largest of the last weeks is no surge', () => {
  const heavy = usualOf([...Array.from({ length: 13 }, () => dayWith({ requested: 20 })), dayWith({ requested: 100 })]);
  expect(surging(dayWith({ requested: 199 }), heavy)).toEqual([]);
  expect(surging(dayWith({ requested: 200 }), heavy)).toEqual(['action_rate']);
});

test('requests are counted, not their rate: an hour of usual work is no surge', () => {
  expect(surging(dayWith({ requested: 60 }, { upHours: 1 }))).toEqual([]);
});

test('small amounts are no surge, however little is usual', () => {
  const idle = usualOf(Array.from({ length: 8 }, () => dayWith({ requested: 1 })));
  const few = dayWith({ requested: 99, executedHigh: 19, executedIrreversible: 9 }, { burstPeak: 29 });
  expect(surging(few, idle)).toEqual([]);
  const more = dayWith({ requested: 100, executedHigh: 20, executedIrreversible: 10 }, { burstPeak: 30 });
  expect(surging(more, idle)).toHaveLength(4);
});

test('without a history, amounts at the red limit are surges; requests have no limit', () => {
  const below = dayWith({ requested: 9_000, executedHigh: 79, executedIrreversible: 39 }, { burstPeak: 119 });
  const at = dayWith({ requested: 9_000, executedHigh: 80, executedIrreversible: 40 }, { burstPeak: 120 });
  expect(surging(below, NOTHING_USUAL)).toEqual([]);
  expect(surging(at, NOTHING_USUAL)).toEqual(['action_burst_peak', 'high_risk_executions', 'irreversible_executions']);
});

test('without a history, small amounts in a short time are no surge', () => {
  const few = dayWith({ executedHigh: 19, executedIrreversible: 9 }, { upHours: 0.25 });
  const more = dayWith({ executedHigh: 20, executedIrreversible: 10 }, { upHours: 0.25 });
  expect(surging(few, NOTHING_USUAL)).toEqual([]);
  expect(surging(more, NOTHING_USUAL)).toEqual(['high_risk_executions', 'irreversible_executions']);
});

test('one surge is moderate, two are high, and further ones add to that', () => {
  expect([0, 1, 2, 3, 4, 5].map(surgeFloor)).toEqual([0, 25, 50, 60, 65, 65]);
});
