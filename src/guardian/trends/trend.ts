import type { MetricType, Trend } from '../../contract/guardian.ts';
import { METRICS } from '../../contract/metrics.ts';
import { effectOf } from '../metrics/usual.ts';
import { type Measured, measuredOf, type Recorded } from '../recording/metrics.ts';
import { clamp, mean, median, sampleVariance } from '../statistics/statistics.ts';

/** With fewer earlier windows a median means little. Weeks and months come seldom, so that fewer must do. */
const LEAST_WINDOWS = { '5m': 8, '15m': 8, '1h': 8, '6h': 8, '24h': 8, '7d': 4, '30d': 4 } as const;
/** A departure is beyond this z-score, and beyond the least distance of its kind. Our own. */
const UNUSUAL_Z = 3.5;
const MOST_Z = 8;
const LEAST_DISTANCE = { count: 3, ratio: 0.05, gauge: 0.05, duration: 100, entropy: 0.5 } as const;
/** A median below this is about zero: half an event, half a point, a millisecond, a hundredth of a bit. */
const ABOUT_ZERO = { count: 0.5, ratio: 0.005, gauge: 0.005, duration: 1, entropy: 0.01 } as const;
/** The least standard deviation, so that a history that hardly moved makes no trifle extreme: 10 %, 1.4 points, 0.15 bit. */
const LEAST_SCALE = { duration: Math.log(1.1), gauge: 0.05 / UNUSUAL_Z, entropy: 0.15 } as const;

/** One metric of a window against earlier windows of the same length. It is shown, and alarms nobody. */
export function trendOf(
  metricType: MetricType,
  { window, current, earlier }: { window: Trend['window']; current: Recorded; earlier: readonly Recorded[] },
): Trend {
  const measured = measuredOf(metricType, current);
  const before = earlier.flatMap((each) => measuredOf(metricType, each) ?? []);
  const isKnown = before.length >= LEAST_WINDOWS[window];
  const middle = isKnown ? median(before.map(({ value }) => value)) : null;
  const shared = {
    metricType,
    window,
    baseline: { windows: before.length, median: middle },
    current: measured?.value ?? null,
  };
  if (measured === null || middle === null) {
    return { ...shared, classification: 'insufficient_data', zScore: null, changePercent: null, effect: 'neutral' };
  }
  const usual = median(sizesAt(measured, before));
  const z = zScore(measured, before);
  const classification = classify(measured, { before, usual, z });
  const isStable = classification === 'stable';
  const { good } = METRICS[metricType];
  return {
    ...shared,
    classification,
    zScore: z,
    changePercent: usual < ABOUT_ZERO[measured.kind] ? null : (100 * (sizeOf(measured) - usual)) / usual,
    effect: isStable ? 'neutral' : effectOf(good, { from: middle, to: measured.value }),
  };
}

/** Whether the list of active trends shows this trend. */
export function isActive({ classification }: Pick<Trend, 'classification'>): boolean {
  return classification !== 'stable' && classification !== 'insufficient_data';
}

/**
 * The distance from the mean of earlier windows in standard deviations of a next value, on a scale on which chance is even: square roots
 * of counts (Anscombe 1948), arcsines of ratios (Freeman & Tukey 1950), logarithms of durations. At least the spread of chance itself.
 */
export function zScore(current: Measured, before: readonly Measured[]): number {
  const scaled = before.map((window) => scaledAt(current, window));
  const scale = Math.max(leastScale(current), Math.sqrt(sampleVariance(scaled)));
  const distance = (scaledAt(current, current) - mean(scaled)) / (scale * Math.sqrt(1 + 1 / scaled.length));
  return clamp(distance, { from: -MOST_Z, to: MOST_Z });
}

function classify(
  current: Measured,
  { before, usual, z }: { before: readonly Measured[]; usual: number; z: number },
): Trend['classification'] {
  const distance = sizeOf(current) - usual;
  const isFar = Math.abs(z) >= UNUSUAL_Z && Math.abs(distance) >= LEAST_DISTANCE[current.kind];
  if (!isFar || Math.sign(distance) !== Math.sign(z)) return 'stable';
  const isCount = current.kind === 'count';
  if (z > 0) return isCount && before.every((window) => sizeOf(window) === 0) ? 'new_activity' : 'spike';
  return isCount && sizeOf(current) === 0 ? 'went_quiet' : 'drop';
}

/** Events of a count, otherwise the value. */
function sizeOf(measured: Measured): number {
  return measured.kind === 'count' ? measured.count : measured.value;
}

/** The sizes that earlier windows would have had in the up-time of the current one. */
function sizesAt(current: Measured, before: readonly Measured[]): number[] {
  return before.map((window) => sizeAt(current, window));
}

function sizeAt(current: Measured, window: Measured): number {
  const size = sizeOf(window);
  return current.kind === 'count' && window.kind === 'count' ? (size * current.exposure) / window.exposure : size;
}

function scaledAt(current: Measured, window: Measured): number {
  switch (window.kind) {
    case 'count':
      return 2 * Math.sqrt(sizeAt(current, window) + 3 / 8);
    case 'ratio':
      return 2 * Math.asin(Math.sqrt((window.hits + 3 / 8) / (window.total + 3 / 4)));
    case 'duration':
      return Math.log(window.value + 1);
    default:
      return window.value;
  }
}

function leastScale(current: Measured): number {
  if (current.kind === 'count') return 1;
  return current.kind === 'ratio' ? 1 / Math.sqrt(current.total + 0.5) : LEAST_SCALE[current.kind];
}
