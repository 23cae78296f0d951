import type { Database } from 'better-sqlite3';
import type { MetricType } from '../../contract/guardian.ts';
import { TREND_WINDOWS, type TrendWindow } from '../../guardian/metrics/metric-window.ts';
import { type MeasuredWindow, measuredWindow } from '../../guardian/recording/metric-windows.ts';
import { emptyRollup } from '../../guardian/recording/rollup.ts';
import type { UpInterval } from '../../guardian/recording/uptime.ts';
import { type Assessed, assessWindow, type WindowToAssess } from '../../guardian/trends/assess-window.ts';
import type { Trend } from '../../guardian/trends/trend.ts';
import { newTrendState, type TrendState } from '../../guardian/trends/trend-state.ts';
import { onlyRow } from '../database/stored-values.ts';
import { readRecorded } from './read-recorded.ts';
import { createRollupReader } from './rollup-reader.ts';
import { createRollupTable } from './rollups.ts';
import { createTrendTable } from './trends.ts';

/** Windows to assess, and the stretch in which the daemon is up until `nowMs`, which the database does not know the end of. */
export type TrendRequest = { windows: WindowToAssess[]; up: UpInterval | undefined; nowMs: number };

/** The trend of one metric in one window. `changed`: the state to store, if it differs from the stored one. */
export type TrendAnswer = { trend: Trend; changed: TrendState | undefined };

/**
 * Assesses trends from the rollups of a database, which it only reads. Holds what is remembered of each metric, as the database had it
 * at first and as its own answers changed it since, and at least the `windowsKept` windows it used last of each length.
 */
export function createTrendAssessor(database: Database, { windowsKept }: { windowsKept: number }) {
  const reader = createRollupReader(database);
  const parts = { rollups: createRollupTable(database, reader.changed), reader };
  const first = database.prepare<unknown[], { fromMs: number | null }>(
    'SELECT min(from_ms) AS fromMs FROM guardian_up_intervals',
  );
  let firstMs: number | undefined;
  const states = new Map<string, TrendState>();
  const windows = new Map<TrendWindow, ReturnType<typeof createKept<MeasuredWindow>>>();
  for (const { window, metricType, value } of createTrendTable(database).states()) {
    states.set(keyOf(window, metricType), value);
  }

  /** There is much time before anything was ever counted, in the first weeks. */
  function isBeforeAll(toMs: number): boolean {
    firstMs ??= onlyRow(first.get()).fromMs ?? undefined;
    return firstMs !== undefined && toMs <= firstMs;
  }

  /** A past window does not change, so it is read once. */
  function measuredFrom(of: WindowToAssess, { up, nowMs }: TrendRequest): (fromMs: number) => MeasuredWindow {
    const kept = windows.get(of.window) ?? createKept<MeasuredWindow>(windowsKept);
    windows.set(of.window, kept);
    return (fromMs) =>
      kept(fromMs, () => {
        const span = { fromMs, toMs: fromMs + TREND_WINDOWS[of.window] };
        if (isBeforeAll(span.toMs)) return measuredWindow(fromMs, NEVER);
        return measuredWindow(fromMs, readRecorded(parts, { span, up, nowMs }));
      });
  }

  function answerTo(window: TrendWindow, { trend, state }: Assessed): TrendAnswer {
    const key = keyOf(window, trend.metricType);
    const before = states.get(key) ?? newTrendState;
    states.set(key, state);
    return { trend, changed: state === before ? undefined : state };
  }

  function trendsIn(of: WindowToAssess, request: TrendRequest): TrendAnswer[] {
    const stateOf = (type: MetricType) => states.get(keyOf(of.window, type));
    const assessed = assessWindow(of, { measuredFrom: measuredFrom(of, request), stateOf });
    return assessed.map((each) => answerTo(of.window, each));
  }

  return (request: TrendRequest): TrendAnswer[] => request.windows.flatMap((of) => trendsIn(of, request));
}

const NEVER = { rollup: emptyRollup(), upTime: { upMs: 0, unlockedMs: 0, readyMs: 0 }, lengthMs: 1 };

function keyOf(window: TrendWindow, metricType: MetricType): string {
  return `${window} ${metricType}`;
}

/**
 * A cache by time that holds at least the `most` values used last, and at most twice as many. A value is dropped when `most`
 * others were used since its last use.
 */
function createKept<Value>(most: number): (atMs: number, read: () => Value) => Value {
  let young = new Map<number, Value>();
  let old = new Map<number, Value>();
  return (atMs, read) => {
    const known = young.get(atMs);
    if (known !== undefined) return known;
    const value = old.get(atMs) ?? read();
    if (young.size >= most) [old, young] = [young, new Map()];
    young.set(atMs, value);
    return value;
  };
}
