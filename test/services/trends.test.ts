import { expect, test } from 'vitest';
import { TREND_WINDOWS } from '../../src/contract/guardian.ts';
import { METRIC_TYPES } from '../../src/contract/metrics.ts';
import { emptyRollup } from '../../src/guardian/recording/rollup.ts';
import type { Span } from '../../src/services/guardian/time-windows.ts';
import { createTrends } from '../../src/services/guardian/trends.ts';
import { createUsualWindows } from '../../src/services/guardian/usual-windows.ts';

const MINUTE_MS = 60_000;
const NOON_MS = new Date(2026, 2, 30, 12).getTime();

/** One request a minute, for ever. */
function start() {
  const read: Span[] = [];
  const clock = { atMs: NOON_MS + 3 * MINUTE_MS };
  const recorded = (span: Span) => {
    read.push(span);
    const [rollup, upMs] = [emptyRollup(), span.toMs - span.fromMs];
    rollup.counters.requested = upMs / MINUTE_MS;
    return { rollup, upTime: { upMs, readyMs: upMs, unlockedMs: upMs }, lengthMs: upMs };
  };
  const windows = { recorded };
  const trends = createTrends(
    { clock: { nowMs: () => clock.atMs } as never },
    { windows, usualIn: createUsualWindows(windows) },
  );
  return { read, clock, trends };
}

test('lists every metric in every window, or in those that are wanted', () => {
  const { trends } = start();
  expect(trends()).toHaveLength(TREND_WINDOWS.length * METRIC_TYPES.length);
  expect(new Set(trends(['24h', 'other']).map(({ window }) => window))).toEqual(new Set(['24h']));
  expect(
    new Set(
      trends()
        .filter(({ metricType }) => metricType === 'action_rate')
        .map(({ zScore }) => zScore),
    ),
  ).toEqual(new Set([0]));
});

test('works a window out once, and the next one when it is over and its events are counted', () => {
  const { read, clock, trends } = start();
  const readAt = (atMs: number) => {
    read.length = 0;
    clock.atMs = atMs;
    trends(['5m']);
    return read.slice(0, 1).map(({ fromMs, toMs }) => [(fromMs - NOON_MS) / MINUTE_MS, (toMs - NOON_MS) / MINUTE_MS]);
  };
  expect(readAt(NOON_MS + 3 * MINUTE_MS)).toEqual([[-5, 0]]);
  expect(readAt(NOON_MS + 5 * MINUTE_MS + 1_999)).toEqual([]);
  expect(readAt(NOON_MS + 5 * MINUTE_MS + 2_000)).toEqual([[0, 5]]);
});
