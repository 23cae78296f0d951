import { expect, test } from 'vitest';
import type { MetricOnset } from '../../../src/guardian/detector/metric-onset.ts';
import { toldOnset } from '../../../src/guardian/insights/metric-onset.ts';

const HOUR_MS = 3_600_000;

/** How severe a metric's onset is told to be, so long after it began, or after it was confirmed. */
function severityAfter(afterMs: number, confirmedAtMs: number | null): string | undefined {
  const onset: MetricOnset = {
    metricType: 'action_latency_p95',
    atMs: 0,
    value: 2_000,
    usual: 100,
    confirmedAtMs,
    endedAtMs: null,
  };
  return toldOnset({ metricOnsets: [onset], nowMs: afterMs }, 'action_latency_p95')?.severity;
}

test('an onset that is not confirmed is told as a fact for an hour', () => {
  expect([severityAfter(HOUR_MS - 1, null), severityAfter(HOUR_MS, null)]).toEqual(['info', undefined]);
});

test('a confirmed onset is told as a warning for a day', () => {
  const days = [24 * HOUR_MS - 1, 24 * HOUR_MS];
  expect(days.map((afterMs) => severityAfter(afterMs, 0))).toEqual(['warning', undefined]);
});
