import { expect, test } from 'vitest';
import type { MetricType } from '../../../src/contract/guardian.ts';
import { type MedianOf, snapshot } from '../../../src/guardian/metrics/snapshot.ts';
import type { Recorded } from '../../../src/guardian/recording/metrics.ts';
import { addValue, emptyRollup } from '../../../src/guardian/recording/rollup.ts';

const HOUR_MS = 3_600_000;
const window = { from: '2026-03-26T10:00:00.000Z', to: '2026-03-26T11:00:00.000Z', length: HOUR_MS };

/** An hour in which so many actions took so long. */
function hourOf(actions: number, tookMs: number): Recorded {
  const rollup = emptyRollup();
  for (let count = 0; count < actions; count += 1) addValue(rollup.executionMs, tookMs);
  return { rollup, upTime: { upMs: HOUR_MS, unlockedMs: HOUR_MS, readyMs: HOUR_MS }, lengthMs: HOUR_MS };
}
const latency = (tookMs: number, medianOf: MedianOf) =>
  snapshot('action_latency_p95', { recorded: hourOf(20, tookMs), window, medianOf });

test('a duration is good up to 1.5 times its baseline and bad from 5 times on', () => {
  const statuses = [1_400, 2_000, 6_000].map((tookMs) => latency(tookMs, () => 999).status);
  expect([statuses, latency(1_400, () => 999).target]).toEqual([['ok', 'watch', 'bad'], { green: 1_499, red: 4_999 }]);
});

test('without a baseline nothing is said of how good a duration is', () => {
  const { value, status, target } = latency(6_000, () => null);
  expect([value === null, status, target]).toEqual([false, 'insufficient_data', { green: null, red: null }]);
});

test('the target is the limit that the value has crossed, over the window that the value is counted in', () => {
  const recorded = { ...hourOf(0, 0), upTime: { upMs: 24 * HOUR_MS, unlockedMs: 24 * HOUR_MS, readyMs: 24 * HOUR_MS } };
  Object.assign(recorded.rollup.counters, { promptAllowed: 8, promptDenied: 12, executedHigh: 24 });
  const of = (type: MetricType) => {
    const { value, status, target } = snapshot(type, { recorded, window, medianOf: () => null });
    return { value, status, target };
  };
  expect(of('confirmation_approval_rate')).toEqual({ value: 0.4, status: 'ok', target: { green: 0.95, red: 1 } });
  expect(of('high_risk_executions')).toEqual({ value: 24, status: 'watch', target: { green: 0, red: 240 } });
});

test.each([
  ['asked the person', 60, 'ok'],
  ['asked nobody', 0, 'bad'],
] as const)(
  'requests of medium risk or above that %s: the share is the same, and the status another',
  (_who, requestedAsking, status) => {
    const recorded = hourOf(0, 0);
    Object.assign(recorded.rollup.counters, { requested: 80, requestedLow: 20, requestedMedium: 60, requestedAsking });
    const found = snapshot('elevated_action_share', { recorded, window, medianOf: () => null });
    expect(found).toMatchObject({ value: 0.75, status, breakdown: { medium: 60, asked: requestedAsking } });
  },
);
