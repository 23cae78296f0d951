import fc from 'fast-check';
import { expect, test } from 'vitest';
import { METRIC_TYPES, type MetricType } from '../../src/contract/guardian.ts';
import { metricDefinition } from '../../src/guardian/metrics/metric-types.ts';
import type { Measured, MetricWindow } from '../../src/guardian/metrics/metric-window.ts';
import { assessTrend, isActive, type Trend } from '../../src/guardian/trends/trend.ts';
import { newTrendState, type TrendState } from '../../src/guardian/trends/trend-state.ts';
import { contradictionsOf } from './trend-truth.ts';

const HOUR_MS = 3_600_000;

/** Assesses a metric in one hour after the other. */
function trendsOf(metricType: MetricType, values: readonly number[]): { trend: Trend; state: TrendState }[] {
  const windows = values.map((value, index) => windowAt(index, measuredOf(metricType, value)));
  let state = newTrendState;
  return windows.map((current, index) => {
    const candidates = {
      seasonal: [],
      trailing: windows.slice(Math.max(0, index - 29), Math.max(0, index - 1)).reverse(),
    };
    const assessed = assessTrend({ metricType, window: '1h', current, candidates }, state);
    state = assessed.state;
    return assessed;
  });
}

function windowAt(index: number, measured: Measured): MetricWindow {
  return { fromMs: index * HOUR_MS, upMs: HOUR_MS, measured };
}

/** `level`: from 0 to 1, a share, or a thousandth of anything else. */
function measuredOf(metricType: MetricType, level: number): Measured {
  const { kind } = metricDefinition(metricType);
  const whole = Math.round(level * 1_000);
  if (kind === 'count') return { kind, value: whole, count: whole, exposure: 1 };
  if (kind === 'ratio') return { kind, value: Math.round(level * 60) / 60, hits: Math.round(level * 60), total: 60 };
  if (kind === 'entropy') return { kind, value: 4 * level };
  return { kind, value: kind === 'duration' ? 10_000 * level : level };
}

/** Stretches of some level and restlessness, with single values far from them. */
const series = fc
  .array(
    fc.record({
      level: fc.double({ min: 0, max: 1, noNaN: true }),
      spread: fc.constantFrom(0, 0.02, 0.2),
      windows: fc.integer({ min: 3, max: 24 }),
      slope: fc.constantFrom(0, 0, 0.01, -0.01),
      noise: fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 24, maxLength: 24 }),
    }),
    { minLength: 2, maxLength: 7 },
  )
  .map((stretches) =>
    stretches.flatMap(({ level, spread, windows, slope, noise }) =>
      noise
        .slice(0, windows)
        .map((each, index) => Math.min(1, Math.max(0, level + slope * index + spread * each ** 3))),
    ),
  );

test('every active trend of a random series has the name, z-score, change and effect of one direction', () => {
  const seen = { active: 0, names: new Set<string>() };
  fc.assert(
    fc.property(fc.constantFrom(...METRIC_TYPES), series, (metricType, values) => {
      const assessed = trendsOf(metricType, values);
      for (const { trend } of assessed.filter((each) => isActive(each.trend))) {
        seen.active += 1;
        seen.names.add(trend.classification);
      }
      expect(assessed.flatMap(contradictionsOf)).toEqual([]);
    }),
    { seed: 14, numRuns: 600 },
  );
  expect(seen.active).toBeGreaterThan(1_000);
  expect([...seen.names].sort()).toEqual(['drop', 'new_activity', 'shift_down', 'shift_up', 'spike', 'went_quiet']);
});
