const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

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
 * A metric over one window, with what its z-score is made of: a count besides its value, the two counts of a ratio. Values are in
 * the metric's unit; `kind` is the metric's.
 */
export type Measured =
  | { kind: 'count'; value: number; count: number }
  | { kind: 'ratio'; value: number; hits: number; total: number }
  | { kind: 'duration' | 'gauge' | 'entropy'; value: number };

/**
 * One window of a metric. `fromMs`: its start, in epoch milliseconds. `coverage`: the share of it, 0 to 1, in
 * which the daemon was up. `measured`: `null` where there was too little data, or the window is a gap.
 */
export type MetricWindow = { fromMs: number; coverage: number; measured: Measured | null };

/** What least sizes and least effects are about: events of a count, otherwise the value. */
export function sizeOf(measured: Measured): number {
  return measured.kind === 'count' ? measured.count : measured.value;
}
