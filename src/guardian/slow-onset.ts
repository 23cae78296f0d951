import type { MetricType } from '../contract/guardian.ts';
import { createDetector } from './detector.ts';
import { createSlidingWindow } from './sliding-window.ts';

/** The durations that tell how fast a desktop is; how long a person thinks is none of them. */
export const SLOW_METRICS = ['action_latency_p95', 'task_duration_p95'] as const satisfies readonly MetricType[];

export type SlowMetric = (typeof SLOW_METRICS)[number];

/** Since about when something takes longer, how long it then took, and how long it usually did. Epoch ms; durations in ms. */
export type SlowOnset = { metricType: SlowMetric; atMs: number; durationMs: number; usualMs: number };

/** One measurement of a metric; `localMs`: its time moved to local time, so that hours are those of the desktop's people. */
type Measurement = { atMs: number; localMs: number; durationMs: number };

/** So much longer than usual is worth telling: our own, the least effect of trends of durations (`hasLeastEffect`). */
const LEAST_SHARE = 0.25;
const LEAST_MS = 100;
/** Some weeks of a busy desktop. */
const USUAL_OF = 2_000;

/**
 * Finds where one metric begins to be slow: give it measurements in the order of time, and it answers at most once in 24 hours. The
 * detector sees durations as ratios, ln(ms + 1), as trends do.
 */
export function createSlowOnsets(metricType: SlowMetric): (measurement: Measurement) => SlowOnset | undefined {
  const detect = createDetector();
  const past = createSlidingWindow(USUAL_OF);
  return ({ atMs, localMs, durationMs }) => {
    const { alarm } = detect({ atMs: localMs, value: Math.log(durationMs + 1) });
    const usualMs = past.median();
    past.add(durationMs);
    const beyondMs = durationMs - usualMs;
    if (!alarm || beyondMs < LEAST_MS || beyondMs < LEAST_SHARE * usualMs) return undefined;
    return { metricType, atMs, durationMs, usualMs };
  };
}
