import type { Database } from 'better-sqlite3';
import { measure, type Recorded } from '../guardian/recording/metrics.ts';
import { createSlowOnsets, SLOW_METRICS, type SlowOnset } from '../guardian/slow-onset.ts';
import { DAY_MS, floorTo, MINUTE_MS } from './rollup-pieces.ts';
import type { Span } from './rollups.ts';

/** Durations are measured over quarters of an hour, each whole one once. */
const MEASURED_OVER_MS = 15 * MINUTE_MS;
/** What is usual is learned from so much of the past, anew at each start. */
const LEARNED_FROM_MS = 28 * DAY_MS;
/** So many are read in one go, so that nobody waits for the whole past to be learned. */
const MOST_AT_ONCE = 200;

/** `toMs`: what ended by then is counted; `utcOffsetMs`: local time less UTC; `recorded`: what happened in a span. */
type Reading = { toMs: number; utcOffsetMs: number; recorded(span: Span): Recorded };

/**
 * Where actions and tasks began to be slow, from the rollups of a database. What detectors remember is not stored: the same past makes
 * the same of them. Each call takes in what is new; after the first ones what it answers is up to now.
 */
export function createSlowOnsetReader(database: Database) {
  const quarters = database
    .prepare(
      `SELECT DISTINCT start_ms / ${MEASURED_OVER_MS} * ${MEASURED_OVER_MS} FROM guardian_rollups
       WHERE span = 'minute' AND start_ms >= ? AND start_ms < ? ORDER BY 1 LIMIT ${MOST_AT_ONCE}`,
    )
    .pluck();
  const watched = SLOW_METRICS.map((metricType) => ({ metricType, find: createSlowOnsets(metricType) }));
  const latest = new Map<string, SlowOnset>();
  let nextMs: number | undefined;

  function take(fromMs: number, { recorded, utcOffsetMs }: Reading): void {
    const atMs = fromMs + MEASURED_OVER_MS;
    const measured = recorded({ fromMs, toMs: atMs });
    for (const { metricType, find } of watched) {
      const { value } = measure(metricType, measured);
      const onset = value === null ? undefined : find({ atMs, localMs: atMs + utcOffsetMs, durationMs: value });
      if (onset !== undefined) latest.set(metricType, onset);
    }
  }

  /** The latest of each metric. */
  return (reading: Reading): SlowOnset[] => {
    const { toMs } = reading;
    const fromMs = nextMs ?? floorTo(toMs - LEARNED_FROM_MS, MEASURED_OVER_MS);
    const endMs = floorTo(toMs, MEASURED_OVER_MS);
    if (fromMs >= endMs) return [...latest.values()];
    const due = quarters.all(fromMs, endMs) as number[];
    for (const quarterMs of due) take(quarterMs, reading);
    const last = due.at(-1);
    nextMs = due.length < MOST_AT_ONCE || last === undefined ? endMs : last + MEASURED_OVER_MS;
    return [...latest.values()];
  };
}
