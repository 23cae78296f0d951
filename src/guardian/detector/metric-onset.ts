import type { MetricType } from '../../contract/guardian.ts';
import { effectOf } from '../metrics/effect.ts';
import { metricDefinition } from '../metrics/metric-types.ts';
import { createSlidingWindow, type SlidingWindow } from '../statistics/sliding-window.ts';
import { createDetector, DETECTOR_SETTINGS } from './detector.ts';

/** Every duration and gauge: the metrics with a value that has a level of its own. */
export const ONSET_METRICS = [
  'action_latency_p95',
  'task_duration_p95',
  'confirmation_response_p50',
  'device_readiness',
] as const satisfies readonly MetricType[];

export type OnsetMetric = (typeof ONSET_METRICS)[number];

/**
 * The moment from which a metric is worse than usual. Times in epoch ms, values in the metric's unit. `value`: the median of the
 * measurements that count. `confirmedAtMs`: since when it lasts and is beyond the metric's limit, `null` before. `endedAtMs`: when it
 * was as usual again, `null` before.
 */
export type MetricOnset = {
  metricType: OnsetMetric;
  atMs: number;
  value: number;
  usual: number;
  confirmedAtMs: number | null;
  endedAtMs: number | null;
};

/** One measurement of a metric. `localMs`: its time moved to local time, so that hours are those of the desktop's people. */
type Measurement = { atMs: number; localMs: number; value: number };

/** The least effect of trends: 25 % and 100 ms, or 5 points. */
const LEAST_SHARE = 0.25;
const LEAST_MS = 100;
const LEAST_POINTS = 0.05;
/** Some weeks of a busy desktop. */
const USUAL_OF = 2_000;
/** A measurement counts when fewer than one in twenty was as bad before. */
const RARE = 0.05;
/** The latest measurements that confirm or end an onset, and how many of them must count. Our own, checked by simulation. */
const LOOKED_AT = 5;
const LASTING = 4;
/** Without this many measurements the share of rare ones is not known. */
const LEAST_PAST = 60;
/** The next onset, and a confirmation of this one, is at most a day away. */
const QUIET_MS = 86_400_000;

/**
 * Finds where one metric begins to be worse: give it measurements in the order of time. It answers with the latest onset as it is now,
 * `undefined` before the first. The detector sees durations as ratios, ln(ms + 1), as trends do.
 */
export function createMetricOnsets(metricType: OnsetMetric): (measurement: Measurement) => MetricOnset | undefined {
  const isDuration = metricDefinition(metricType).kind === 'duration';
  const detect = createDetector({ ...DETECTOR_SETTINGS, quietMs: 0 });
  const past = createSlidingWindow(USUAL_OF);
  let current: Current | undefined;

  return ({ atMs, localMs, value }) => {
    const { alarm } = detect({ atMs: localMs, value: isDuration ? Math.log(value + 1) : value });
    const isQuiet = current !== undefined && atMs - current.onset.atMs < QUIET_MS;
    if (current !== undefined) current = followed(current, { atMs, value });
    if (alarm && !isQuiet && isWorse(metricType, { value, usual: past.median() }))
      current = begun(metricType, { atMs, value, past });
    past.add(value);
    return current?.onset;
  };
}

/** `rare`: the value that is as bad as one in twenty was, `null` while too few are known. `latest`: the last values since it began. */
type Current = { onset: MetricOnset; rare: number | null; latest: number[] };

function begun(
  metricType: OnsetMetric,
  { atMs, value, past }: { atMs: number; value: number; past: SlidingWindow },
): Current {
  const usual = past.median();
  const rare = past.size() < LEAST_PAST ? null : past.quantile(value > usual ? 1 - RARE : RARE);
  const onset = { metricType, atMs, value, usual, confirmedAtMs: null, endedAtMs: null };
  return { onset, rare, latest: [value] };
}

function followed({ onset, rare, latest }: Current, { atMs, value }: { atMs: number; value: number }): Current {
  if (onset.endedAtMs !== null) return { onset, rare, latest };
  const kept = [...latest, value].slice(-LOOKED_AT);
  const counting = kept.filter((each) => doesCount(each, { onset, rare }));
  return { onset: judged(onset, { atMs, kept, counting }), rare, latest: kept };
}

function judged(
  onset: MetricOnset,
  { atMs, kept, counting }: { atMs: number; kept: readonly number[]; counting: readonly number[] },
): MetricOnset {
  if (kept.length === LOOKED_AT && counting.length <= LOOKED_AT - LASTING) return { ...onset, endedAtMs: atMs };
  if (counting.length < LASTING) return onset;
  const value = middleOf(counting);
  const isConfirmed = isBeyondLimit(onset.metricType, { value, usual: onset.usual });
  const isInTime = atMs - onset.atMs < QUIET_MS;
  return { ...onset, value, confirmedAtMs: onset.confirmedAtMs ?? (isConfirmed && isInTime ? atMs : null) };
}

function doesCount(value: number, { onset, rare }: Pick<Current, 'onset' | 'rare'>): boolean {
  if (rare === null || !isWorse(onset.metricType, { value, usual: onset.usual })) return false;
  return onset.usual < value ? value > rare : value < rare;
}

/** Worse than usual by enough to be worth telling. */
function isWorse(metricType: OnsetMetric, { value, usual }: { value: number; usual: number }): boolean {
  const { good, kind } = metricDefinition(metricType);
  if (effectOf(good, { from: usual, to: value }) !== 'worsening') return false;
  const distance = Math.abs(value - usual);
  return kind === 'duration' ? distance >= LEAST_MS && distance >= LEAST_SHARE * usual : distance >= LEAST_POINTS;
}

/** Beyond where the metric's limits begin. A metric that has only a limit below has none above. */
function isBeyondLimit(metricType: OnsetMetric, { value, usual }: { value: number; usual: number }): boolean {
  return metricDefinition(metricType).limits.some(({ green, red, of }) => {
    const compared = of === 'baselineMedian' ? value / usual : value;
    return red > green ? compared > green : compared < green;
  });
}

/** The lower of the two middle values, so that it is one that was measured. */
function middleOf(values: readonly number[]): number {
  const ascending = values.toSorted((one, other) => one - other);
  return ascending[Math.floor((ascending.length - 1) / 2)] ?? Number.NaN;
}
