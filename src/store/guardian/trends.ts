import type { Database } from 'better-sqlite3';
import { METRIC_TYPES, type MetricType } from '../../contract/guardian.ts';
import { TREND_WINDOWS, type TrendWindow } from '../../guardian/metrics/metric-window.ts';
import type { Trend } from '../../guardian/trends/trend.ts';
import type { TrendState } from '../../guardian/trends/trend-state.ts';
import { storedJson } from '../database/stored-values.ts';

/** The last trend of each metric in each window, and the state that the next assessment starts from. */
export function createTrendTable(database: Database) {
  const put = database.prepare(
    'INSERT OR REPLACE INTO guardian_trends (span, metric_type, trend, state) VALUES (?, ?, ?, ?)',
  );
  const trends = database.prepare<unknown[], Stored>('SELECT span, metric_type, trend AS value FROM guardian_trends');
  const states = database.prepare<unknown[], Stored>('SELECT span, metric_type, state AS value FROM guardian_trends');
  return {
    /** Only inside a write transaction. */
    put({ trend, state }: { trend: Trend; state: TrendState }): void {
      put.run(trend.window, trend.metricType, JSON.stringify(trend), JSON.stringify(state));
    },
    trends: () =>
      trends
        .all()
        .flatMap((row) => read<Trend>(row))
        .map(({ value }) => value),
    states: () => states.all().flatMap((row) => read<TrendState>(row)),
  };
}

type Stored = { span: string; metric_type: string; value: string };

/** Rows that a newer version wrote about windows or metrics unknown to this one are ignored. */
function read<Value>(row: Stored): { window: TrendWindow; metricType: MetricType; value: Value }[] {
  const metricType = METRIC_TYPES.find((type) => type === row.metric_type);
  const window = (Object.keys(TREND_WINDOWS) as TrendWindow[]).find((each) => each === row.span);
  if (metricType === undefined || window === undefined) return [];
  return [{ window, metricType, value: storedJson<Value>(row.value) }];
}
