import type { SeriesOfMetric, SeriesPoint, UsualRange } from '../../contract/console-series.ts';
import type { MetricType } from '../../contract/guardian.ts';
import { METRIC_TYPES, METRICS } from '../../contract/metrics.ts';
import { coverageOf } from '../../guardian/metrics/snapshot.ts';
import { usualRange } from '../../guardian/metrics/usual-range.ts';
import { type MetricValue, measureAll } from '../../guardian/recording/metrics.ts';
import { timestamp } from '../timestamps.ts';
import { createRemembered } from './remembered.ts';
import { type Grid, gridOver } from './series-grid.ts';
import { shownPoint, shownRange } from './shown.ts';
import { type createWindows, DAY_MS, HOUR_MS, MINUTE_MS, type Span } from './windows.ts';

const EARLIER_DAYS = 28;
/** Below an hour, the same minutes of 28 days are too many rows for more than this. */
const LONGEST_BY_MINUTE_MS = 3 * HOUR_MS;
/** About half a kilobyte each; a month in steps of an hour, with the month before it, has half as many. */
const MOST_REMEMBERED = 3_000;

type Measured = { coverage: number; values: readonly MetricValue[] };
export type SeriesRequest = { types: readonly MetricType[]; span: Span; points: number; withUsual: boolean };

/**
 * Metrics over one part of a window after the other, from rollups alone. A part that ended an hour ago is final, so it
 * is measured once: a page that loads again costs one or two parts.
 */
export function createConsoleSeries(windows: Pick<ReturnType<typeof createWindows>, 'recorded' | 'unitKeptMs'>) {
  const remembered = createRemembered<number, Measured>(MOST_REMEMBERED);
  const ranges = createRemembered<string, UsualRange | null>(MOST_REMEMBERED);

  function measured(span: Span, nowMs: number): Measured {
    const fresh = () => {
      const recorded = windows.recorded(span);
      return { coverage: coverageOf(recorded), values: measureAll(recorded) };
    };
    return remembered(keyOf(span), fresh, span.toMs + HOUR_MS <= nowMs);
  }

  /** The same part of each of the days before: whole ones, although the part itself may go on. */
  function earlier({ fromMs }: Span, { stepMs, nowMs }: { stepMs: number; nowMs: number }): Measured[] {
    return Array.from({ length: EARLIER_DAYS }, (_, index) => {
      const startMs = fromMs - (index + 1) * DAY_MS;
      return measured({ fromMs: startMs, toMs: startMs + stepMs }, nowMs);
    }).filter(({ coverage }) => coverage >= 0.5);
  }

  /** Days that are over do not change, so a range is worked out once. */
  function usualOf(
    type: MetricType,
    part: Span,
    { stepMs, nowMs }: { stepMs: number; nowMs: number },
  ): UsualRange | null {
    const index = METRIC_TYPES.indexOf(type);
    const range = () => {
      const values = earlier(part, { stepMs, nowMs }).flatMap((each) => each.values[index]?.value ?? []);
      return shownRange(METRICS[type].unit, usualRange(values));
    };
    return ranges(`${type} ${part.fromMs} ${stepMs}`, range, part.fromMs - DAY_MS + stepMs + HOUR_MS <= nowMs);
  }

  return ({ types, span, points, withUsual }: SeriesRequest, nowMs: number) => {
    const grid = gridOver(span, { points, unitMs: windows.unitKeptMs(span.fromMs) });
    const hasUsual = withUsual && mayCompare(grid, span);
    const parts = grid.spans.map((part) => ({ part, now: measured(part, nowMs) }));
    const items = types.map((type): SeriesOfMetric => {
      const { unit } = METRICS[type];
      const index = METRIC_TYPES.indexOf(type);
      const points = parts.map(({ part, now }): SeriesPoint => {
        const { value = null, sampleSize = 0 } = now.values[index] ?? {};
        const point = shownPoint(unit, { at: timestamp(part.fromMs), value, sampleSize, coverage: now.coverage });
        if (!withUsual) return point;
        return { ...point, usual: hasUsual ? usualOf(type, part, { stepMs: grid.stepMs, nowMs }) : null };
      });
      return { type, unit, points };
    });
    return { stepMs: grid.stepMs, items };
  };
}

/** Spans begin and end with a minute, and none of a series has more minutes than the factor. */
function keyOf({ fromMs, toMs }: Span): number {
  return (fromMs / MINUTE_MS) * 200_000 + (toMs - fromMs) / MINUTE_MS;
}

/** Days are compared with days and parts of a day with the same part; more than a day has no days like it. */
function mayCompare({ stepMs }: Grid, { fromMs, toMs }: Span): boolean {
  if (stepMs > DAY_MS) return false;
  return stepMs >= HOUR_MS || toMs - fromMs <= LONGEST_BY_MINUTE_MS;
}
