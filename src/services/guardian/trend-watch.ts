import { METRIC_TYPES, type MetricType, TREND_WINDOWS, type Trend } from '../../contract/guardian.ts';
import { TREND_WINDOWS as LENGTHS, type TrendWindow } from '../../guardian/metrics/metric-window.ts';
import type { WindowToAssess } from '../../guardian/trends/assess-window.ts';
import { type Trend as Assessed, trendBeforeAll } from '../../guardian/trends/trend.ts';
import type { TrendState } from '../../guardian/trends/trend-state.ts';
import type { Context } from '../context.ts';
import { timestamp } from '../timestamps.ts';
import { createLatencyMix } from './latency-mix.ts';
import { HOUR_MS, MINUTE_MS } from './windows.ts';

/** The events just before the end of a minute may not be in the database yet. */
const SETTLING_MS = 2_000;
/** The stored state has some hundred kilobytes. */
const WRITTEN_EVERY_MS = 15 * MINUTE_MS;

/** Every metric in every window, in the order in which they are listed, with the keys under which their trends are kept. */
const ALL = TREND_WINDOWS.flatMap((window) =>
  METRIC_TYPES.map((metricType) => ({ metricType, window, key: keyOf({ metricType, window }) })),
);
const KEYS = Map.groupBy(ALL, ({ metricType }) => metricType);

export type TrendWatch = ReturnType<typeof createTrendWatch>;

/**
 * Compares every metric with its own past, in windows up to an hour every minute, in longer ones every hour. The results and
 * the state are stored. Windows that were missed while the daemon was down are not assessed later, since only current trends
 * are worth telling.
 */
export function createTrendWatch(context: Context) {
  const { store, clock } = context;
  const latencyMix = createLatencyMix(context);
  const trends = new Map<string, Assessed>();
  const views = new WeakMap<Assessed, Trend>();
  const assessedToMs = new Map<TrendWindow, number>();
  const unwritten = new Map<string, { trend: Assessed; state: TrendState }>();
  let writtenAtMs = 0;
  let isAtWork = false;
  /** The trends in all windows; worked out once until the next assessment. */
  let listed: readonly Trend[] | undefined;
  for (const trend of store.trends.trends()) trends.set(keyOf(trend), trend);

  const ofMetric = (metricType: MetricType) => (KEYS.get(metricType) ?? []).flatMap(({ key }) => trends.get(key) ?? []);

  async function assessDue(nowMs: number): Promise<void> {
    const due = TREND_WINDOWS.map((window) => windowAt(window, nowMs)).filter(
      ({ window, toMs }) => assessedToMs.get(window) !== toMs,
    );
    if (due.length === 0) return;
    const assessed = await store.assessTrends({ windows: due, up: store.recording.upNow(), nowMs });
    const answers = assessed.map(({ trend, changed }) => ({ trend: latencyMix(trend), changed }));
    const isNews = answers.some(({ trend }) => trend.openedAtMs !== (trends.get(keyOf(trend))?.openedAtMs ?? null));
    for (const { trend, changed } of answers) {
      trends.set(keyOf(trend), trend);
      listed = undefined;
      if (changed !== undefined) unwritten.set(keyOf(trend), { trend, state: changed });
    }
    for (const { window, toMs } of due) assessedToMs.set(window, toMs);
    if (isNews || Math.abs(nowMs - writtenAtMs) >= WRITTEN_EVERY_MS) write(nowMs);
  }

  /** Asked for several times a minute, so it is worked out once for each trend. */
  function view(trend: Assessed): Trend {
    const known = views.get(trend) ?? viewOf(trend);
    views.set(trend, known);
    return known;
  }

  function write(nowMs: number): void {
    store.write('relaxed', () => [...unwritten.values()].forEach(store.trends.put));
    unwritten.clear();
    writtenAtMs = nowMs;
  }

  return {
    /** Assesses the trends that are due, and resolves when that is done. Resolves at once if an assessment is under way. */
    async assess(): Promise<void> {
      if (isAtWork) return;
      isAtWork = true;
      try {
        await assessDue(clock.nowMs());
      } finally {
        isAtWork = false;
      }
    },
    /** Stores what was not stored yet; that is done at once where a trend opens or closes, otherwise now and then. */
    remember(): void {
      if (unwritten.size > 0) write(clock.nowMs());
    },
    /** The trends of every metric, in the given windows or in all. */
    list(wanted: readonly string[] = TREND_WINDOWS): Trend[] {
      listed ??= ALL.map((of) => view(trends.get(of.key) ?? trendBeforeAll(of.metricType, of.window)));
      return listed.filter(({ window }) => wanted.includes(window));
    },
    /** The median a metric is compared with in windows about so long: of the length nearest to it that has a baseline, or `null`. */
    baselineMedian(type: MetricType, lengthMs: number): number | null {
      const known = ofMetric(type).filter(({ baseline }) => baseline.median !== null);
      const distance = ({ window }: Assessed) => Math.abs(Math.log(LENGTHS[window] / lengthMs));
      return known.toSorted((one, other) => distance(one) - distance(other))[0]?.baseline.median ?? null;
    },
  };
}

/** The latest whole window of that length: to the minute, or where it is longer than an hour, to the hour. */
function windowAt(window: TrendWindow, nowMs: number): WindowToAssess {
  const everyMs = LENGTHS[window] > HOUR_MS ? HOUR_MS : MINUTE_MS;
  const toMs = Math.floor((nowMs - SETTLING_MS) / everyMs) * everyMs;
  return { window, toMs };
}

function keyOf({ metricType, window }: Pick<Assessed, 'metricType' | 'window'>): string {
  return `${metricType} ${window}`;
}

function viewOf({ openedAtMs, ...trend }: Assessed): Trend {
  return { ...trend, openedAt: openedAtMs === null ? null : timestamp(openedAtMs) };
}
