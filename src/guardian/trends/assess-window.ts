import { METRIC_TYPES, type MetricType } from '../../contract/guardian.ts';
import { type MetricWindow, TREND_WINDOWS, type TrendWindow } from '../metrics/metric-window.ts';
import type { MeasuredWindow } from '../recording/metric-windows.ts';
import { baselineStarts } from './baseline.ts';
import { assessTrend, type Trend } from './trend.ts';
import { newTrendState, type TrendState } from './trend-state.ts';

/** The window of that length that ends at `toMs`. */
export type WindowToAssess = { window: TrendWindow; toMs: number };

export type Assessed = { trend: Trend; state: TrendState };

/**
 * The trends of all metrics in one window, in the order of the metrics, and the new state of each. `measuredFrom` measures
 * the window of the same length that starts at a given time; at most 89 windows are measured.
 */
export function assessWindow(
  { window, toMs }: WindowToAssess,
  past: { measuredFrom(fromMs: number): MeasuredWindow; stateOf(type: MetricType): TrendState | undefined },
): Assessed[] {
  const lengthMs = TREND_WINDOWS[window];
  const fromMs = toMs - lengthMs;
  const starts = baselineStarts({ fromMs, window });
  const current = past.measuredFrom(fromMs);
  const candidates = (of: readonly number[]) => of.map(past.measuredFrom).filter(({ upMs }) => upMs > 0);
  const seasonal = candidates(starts.seasonal);
  const trailing = candidates(starts.trailing);
  return METRIC_TYPES.map((metricType, index) => {
    const evidence = {
      metricType,
      window,
      current: metricWindow(current, index),
      candidates: {
        seasonal: seasonal.map((each) => metricWindow(each, index)),
        // Seldom needed where there are seasonal ones.
        get trailing(): MetricWindow[] {
          return trailing.map((each) => metricWindow(each, index));
        },
      },
    };
    return assessTrend(evidence, past.stateOf(metricType) ?? newTrendState);
  });
}

function metricWindow({ fromMs, upMs, measured }: MeasuredWindow, index: number): MetricWindow {
  return { fromMs, upMs, measured: measured[index] ?? null };
}
