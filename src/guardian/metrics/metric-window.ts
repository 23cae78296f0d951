import { DAY_MS, HOUR_MS, MINUTE_MS } from './local-time.ts';

export const TREND_WINDOWS = {
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '1h': HOUR_MS,
  '6h': 6 * HOUR_MS,
  '24h': DAY_MS,
  '7d': 7 * DAY_MS,
  '30d': 30 * DAY_MS,
} as const;
export type TrendWindow = keyof typeof TREND_WINDOWS;

/**
 * A metric over one window, with the parts its z-score is made of: a count besides its value, the two counts of a ratio. Values are in
 * the metric's unit; `kind` is the metric's. `exposure`: in proportion to which counts are expected, in hours the daemon was up; the
 * same in all windows for a peak, which does not add up over time.
 */
export type Measured =
  | { kind: 'count'; value: number; count: number; exposure: number }
  | { kind: 'ratio'; value: number; hits: number; total: number }
  | { kind: 'duration' | 'gauge' | 'entropy'; value: number };

/**
 * One window of a metric. `fromMs`: its start, in epoch milliseconds. `upMs`: how long the daemon was up in it. `measured`: `null`
 * where there was too little data, or the daemon was never up.
 */
export type MetricWindow = { fromMs: number; upMs: number; measured: Measured | null };

/** The quantity that least sizes and least effects are about: events of a count, otherwise the value. */
export function sizeOf(measured: Measured): number {
  return measured.kind === 'count' ? measured.count : measured.value;
}

/** The sizes that earlier windows of a metric would have had at the exposure of the current one. */
export function sizesAt(current: Measured, baseline: readonly Measured[]): number[] {
  return baseline.map((window) => {
    const size = sizeOf(window);
    return current.kind === 'count' && window.kind === 'count' ? (size * current.exposure) / window.exposure : size;
  });
}
