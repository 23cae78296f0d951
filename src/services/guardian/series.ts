import type { MetricSeries, MetricType } from '../../contract/guardian.ts';
import { coverageOf, type MedianOf, snapshot } from '../../guardian/metrics/snapshot.ts';
import { measure } from '../../guardian/recording/metrics.ts';
import { timestamp } from '../timestamps.ts';
import { shownPoint } from './shown.ts';
import { type createWindows, HOUR_MS, MINUTE_MS, type Span, windowOf } from './windows.ts';

/** Charts show values, not how good they are. */
const noMedian: MedianOf = () => null;

/**
 * A metric over consecutive windows, at most so many. Steps of an hour or more start on the hour. No step is shorter than
 * the resolution that is still stored.
 */
export function seriesOf(
  windows: ReturnType<typeof createWindows>,
  type: MetricType,
  { span, points }: { span: Span; points: number },
): MetricSeries {
  const isLong = span.toMs - span.fromMs >= points * HOUR_MS;
  const unitMs = Math.max(isLong ? HOUR_MS : MINUTE_MS, windows.unitKeptMs(span.fromMs));
  const startMs = Math.floor(span.fromMs / unitMs) * unitMs;
  const stepMs = Math.ceil((span.toMs - startMs) / points / unitMs) * unitMs;
  const count = Math.ceil((span.toMs - startMs) / stepMs);
  const first = snapshot(type, { recorded: windows.recorded(span), window: windowOf(span), medianOf: noMedian });
  return {
    type,
    unit: first.unit,
    window: first.window,
    points: Array.from({ length: count }, (_, index) => {
      const fromMs = startMs + index * stepMs;
      const recorded = windows.recorded({ fromMs, toMs: Math.min(span.toMs, fromMs + stepMs) });
      const { value, sampleSize } = measure(type, recorded);
      return shownPoint(first.unit, { at: timestamp(fromMs), value, sampleSize, coverage: coverageOf(recorded) });
    }),
  };
}
