import { METRIC_TYPES, type MetricType, TREND_WINDOWS, type Trend } from '../../contract/guardian.ts';
import { baselineStarts } from '../../guardian/baseline.ts';
import { TREND_WINDOWS as LENGTHS, type TrendWindow } from '../../guardian/metric-window.ts';
import { metricWindow } from '../../guardian/recording/metric-windows.ts';
import type { Recorded } from '../../guardian/recording/metrics.ts';
import { emptyRollup } from '../../guardian/recording/rollup.ts';
import { type Trend as Assessed, assessTrend } from '../../guardian/trend.ts';
import { newTrendState, type TrendState } from '../../guardian/trend-state.ts';
import type { Context } from '../context.ts';
import { timestamp } from '../timestamps.ts';
import type { createWindows } from './windows.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const RECENT = 7;

export type TrendWatch = ReturnType<typeof createTrendWatch>;

/** Compares every metric with its own past, in windows up to an hour every minute, in longer ones every hour. */
export function createTrendWatch({ clock }: Context, windows: ReturnType<typeof createWindows>) {
  const states = new Map<string, TrendState>();
  const trends = new Map<string, Assessed>();
  const assessedAtMs = new Map<TrendWindow, number>();
  let isAtWork = false;

  async function assessWindow(window: TrendWindow, toMs: number): Promise<void> {
    const starts = startsOf(window, toMs);
    const recorded = await readAll(windows, window, [
      ...starts.recent,
      ...starts.seasonal,
      ...starts.trailing,
      starts.current,
    ]);
    for (const metricType of METRIC_TYPES) {
      const at = (fromMs: number) => metricWindow(metricType, fromMs, recorded.get(fromMs) ?? NEVER);
      const key = keyOf(metricType, window);
      const evidence = {
        metricType,
        window,
        current: at(starts.current),
        recent: starts.recent.map(at),
        candidates: { seasonal: starts.seasonal.map(at), trailing: starts.trailing.map(at) },
      };
      const { trend, state } = assessTrend(evidence, states.get(key) ?? newTrendState);
      states.set(key, state);
      trends.set(key, trend);
    }
    assessedAtMs.set(window, toMs);
  }

  return {
    /** Assesses what is due; resolves when that is done, at once where it is being done already. */
    async assess(): Promise<void> {
      if (isAtWork) return;
      isAtWork = true;
      try {
        const toMs = Math.floor(clock.nowMs() / MINUTE_MS) * MINUTE_MS;
        const due = TREND_WINDOWS.filter((window) => isDue(window, toMs - (assessedAtMs.get(window) ?? 0)));
        for (const window of due) await assessWindow(window, toMs);
      } finally {
        isAtWork = false;
      }
    },
    /** Of every metric in some windows, or in all. */
    list: (wanted: readonly string[] = TREND_WINDOWS): Trend[] =>
      TREND_WINDOWS.filter((window) => wanted.includes(window)).flatMap((window) =>
        METRIC_TYPES.map((type) => view(trends.get(keyOf(type, window)) ?? unknownTrend(type, window))),
      ),
    /** The largest z-score of the open trends for the worse of a metric; 0 where there are none. */
    worseningZ(type: MetricType): number {
      const open = TREND_WINDOWS.flatMap((window) => trends.get(keyOf(type, window)) ?? []).filter(
        ({ openedAtMs, effect }) => openedAtMs !== null && effect === 'worsening',
      );
      return Math.max(0, ...open.map(({ zScore }) => Math.abs(zScore ?? 0)));
    },
  };
}

const NEVER: Recorded = { rollup: emptyRollup(), upTime: { upMs: 0, unlockedMs: 0, readyMs: 0 }, lengthMs: 1 };

function isDue(window: TrendWindow, sinceMs: number): boolean {
  return sinceMs >= (LENGTHS[window] > HOUR_MS ? HOUR_MS : MINUTE_MS);
}

function startsOf(window: TrendWindow, toMs: number) {
  const lengthMs = LENGTHS[window];
  const current = toMs - lengthMs;
  const utcOffsetMs = -new Date(toMs).getTimezoneOffset() * MINUTE_MS;
  return {
    current,
    recent: Array.from({ length: RECENT }, (_, index) => current - (RECENT - index) * lengthMs),
    ...baselineStarts({ fromMs: current, window, utcOffsetMs }),
  };
}

/** One span after the other, so that calls are answered in between. */
async function readAll(
  windows: ReturnType<typeof createWindows>,
  window: TrendWindow,
  starts: readonly number[],
): Promise<Map<number, Recorded>> {
  const recorded = new Map<number, Recorded>();
  for (const fromMs of new Set(starts)) {
    recorded.set(fromMs, windows.recorded({ fromMs, toMs: fromMs + LENGTHS[window] }));
    await new Promise(setImmediate);
  }
  return recorded;
}

function keyOf(type: MetricType, window: TrendWindow): string {
  return `${type} ${window}`;
}

function view({ openedAtMs, ...trend }: Assessed): Trend {
  return { ...trend, openedAt: openedAtMs === null ? null : timestamp(openedAtMs) };
}

function unknownTrend(metricType: MetricType, window: TrendWindow): Assessed {
  return {
    metricType,
    window,
    classification: 'insufficient_data',
    zScore: null,
    changePercent: null,
    changeKind: 'unknown',
    effect: 'neutral',
    confidence: 0,
    baseline: { kind: null, windows: 0, median: null },
    current: null,
    openedAtMs: null,
    severity: 'info',
  };
}
