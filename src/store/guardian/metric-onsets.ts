import type { Database } from 'better-sqlite3';
import {
  createMetricOnsets,
  type MetricOnset,
  ONSET_METRICS,
  type OnsetMetric,
} from '../../guardian/detector/metric-onset.ts';
import { measure, type Recorded } from '../../guardian/recording/metrics.ts';
import { DAY_MS, floorTo, HOUR_MS, MINUTE_MS } from './rollup-pieces.ts';
import type { Span } from './rollups.ts';

const QUARTER_MS = 15 * MINUTE_MS;
/** Each metric is measured over whole spans of this length. Tasks and answers are rarer than actions. */
const MEASURED_OVER_MS: Record<OnsetMetric, number> = {
  action_latency_p95: QUARTER_MS,
  task_duration_p95: HOUR_MS,
  confirmation_response_p50: HOUR_MS,
  device_readiness: QUARTER_MS,
};
/** The past from which the usual values are learned, anew at each start. */
const LEARNED_FROM_MS = 28 * DAY_MS;
/** One call reads at most this many quarters, so that nothing waits until the whole past is learned. */
const MOST_AT_ONCE = 200;

/** `toMs`: the end of the time that is counted. `utcOffsetMs`: local time less UTC. `recorded`: the counts of a span. */
type Reading = { toMs: number; utcOffsetMs: number; recorded(span: Span): Recorded };

/**
 * Finds where metrics began to be worse, from the rollups of a database. The detectors' state is not stored: the same past leads to the
 * same state. Each call takes in the new spans; after the first calls the answer is up to date.
 */
export function createMetricOnsetReader(database: Database): (reading: Reading) => MetricOnset[] {
  const quarters = database
    .prepare<unknown[], number>(
      `SELECT DISTINCT start_ms / ${QUARTER_MS} * ${QUARTER_MS} FROM guardian_rollups
       WHERE span = 'minute' AND start_ms >= ? AND start_ms < ? ORDER BY 1 LIMIT ${MOST_AT_ONCE}`,
    )
    .pluck();
  const lengths = [...new Set(Object.values(MEASURED_OVER_MS))].map(createSpans);
  const watched = ONSET_METRICS.map((metricType) => ({ metricType, find: createMetricOnsets(metricType) }));
  const latest = new Map<OnsetMetric, MetricOnset>();
  let nextMs: number | undefined;

  function take({ fromMs, lengthMs }: { fromMs: number; lengthMs: number }, reading: Reading): void {
    const atMs = fromMs + lengthMs;
    const measured = reading.recorded({ fromMs, toMs: atMs });
    for (const { metricType, find } of watched.filter((each) => MEASURED_OVER_MS[each.metricType] === lengthMs)) {
      const { value } = measure(metricType, measured);
      const onset = value === null ? undefined : find({ atMs, localMs: atMs + reading.utcOffsetMs, value });
      if (onset !== undefined) latest.set(metricType, onset);
    }
  }

  function closeSpans(toMs: number, reading: Reading): void {
    for (const { close } of lengths) for (const span of close(toMs)) take(span, reading);
  }

  /** The latest onset of each metric. */
  return (reading) => {
    const fromMs = nextMs ?? floorTo(reading.toMs - LEARNED_FROM_MS, HOUR_MS);
    const endMs = floorTo(reading.toMs, QUARTER_MS);
    if (fromMs >= endMs) return [...latest.values()];
    const due = quarters.all(fromMs, endMs);
    for (const quarterMs of due) {
      closeSpans(quarterMs, reading);
      for (const { open } of lengths) open(quarterMs);
    }
    const last = due.at(-1);
    nextMs = due.length < MOST_AT_ONCE || last === undefined ? endMs : last + QUARTER_MS;
    closeSpans(nextMs, reading);
    return [...latest.values()];
  };
}

/** Spans of one length in which something was counted: each is closed once, when its end has passed. */
function createSpans(lengthMs: number) {
  let openMs: number | undefined;
  return {
    open(atMs: number): void {
      openMs ??= floorTo(atMs, lengthMs);
    },
    close(toMs: number): { fromMs: number; lengthMs: number }[] {
      if (openMs === undefined || openMs + lengthMs > toMs) return [];
      const fromMs = openMs;
      openMs = undefined;
      return [{ fromMs, lengthMs }];
    },
  };
}
