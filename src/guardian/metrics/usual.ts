import type { MetricType } from '../../contract/guardian.ts';
import { type Good, METRICS } from '../../contract/metrics.ts';
import { measure, type Recorded } from '../recording/metrics.ts';
import { judgedPart } from '../risk/own-approvals.ts';
import { HELD_CONTROLS, type HeldControl, type HeldCounts, heldCounts } from '../risk/refusing-controls.ts';
import { median, quantile } from '../statistics/statistics.ts';

/** The least of which a median means something. */
const LEAST_WINDOWS = 8;
/** Work comes in heaps, so a number is worse than usual from so many times the largest of the earlier windows on. */
const TIMES_LARGEST = 2;

/** The usual values on this desktop, in windows of one length. */
export type Usual = {
  /** The earlier windows that had a request. */
  windows: readonly Recorded[];
  /** The median of a metric, in its unit; `null` where there is no history of it. */
  medianOf(type: MetricType): number | null;
  /** Whether a value is worse than in each of the earlier windows; `null` where there is no history of it. */
  isWorst(type: MetricType, value: number): boolean | null;
  /** The median of how often each control held; 0 where there is no history. */
  held: HeldCounts;
  hasHistory: boolean;
};

type Effect = 'improving' | 'worsening' | 'neutral';

/** Whether a move is for the better, given which way is good; within a good range, or without one, it is neither. Our own. */
export function effectOf(good: Good, { from, to }: { from: number; to: number }): Effect {
  const worse = badness(good, to) - badness(good, from);
  if (worse === 0) return 'neutral';
  return worse > 0 ? 'worsening' : 'improving';
}

/** How far a value is on the bad side of another one, or a z-score of 0; without a good side, how far it is away. */
export function worseBy(good: Good, distance: number): number {
  if (good === 'low') return distance;
  return good === 'high' ? -distance : Math.abs(distance);
}

function badness(good: Good, value: number): number {
  if (good === 'neutral') return 0;
  if (good === 'low') return value;
  if (good === 'high') return -value;
  return Math.max(good.from - value, value - good.to, 0);
}

/**
 * The medians over earlier windows of one length. Windows without a request are left out, because they do not
 * show how much is usual while the desktop is used. At least eight windows must remain.
 */
export function usualOf(earlier: readonly Recorded[]): Usual {
  const windows = earlier.filter(({ rollup, upTime }) => upTime.upMs > 0 && rollup.counters.requested > 0);
  const hasHistory = windows.length >= LEAST_WINDOWS;
  return {
    windows,
    medianOf(type) {
      const values = windows.flatMap((each) => measure(type, each).value ?? []);
      return values.length < LEAST_WINDOWS ? null : median(values);
    },
    isWorst(type, value) {
      const { good, kind } = METRICS[type];
      const times = kind === 'count' ? TIMES_LARGEST : 1;
      const values = windows.flatMap((each) => measure(type, judgedPart(type, each)).value ?? []);
      if (values.length < LEAST_WINDOWS) return null;
      return values.every((each) => worseBy(good, value - times * each) > 0);
    },
    held: usualHeld(hasHistory ? windows : []),
    hasHistory,
  };
}

/** Before there is any history. */
export const NOTHING_USUAL: Usual = usualOf([]);

function usualHeld(used: readonly Recorded[]): HeldCounts {
  const counts = used.map(({ rollup }) => heldCounts(rollup));
  const usual = (control: HeldControl) => (counts.length === 0 ? 0 : median(counts.map((each) => each[control])));
  return Object.fromEntries(HELD_CONTROLS.map((control) => [control, usual(control)])) as HeldCounts;
}

/** As for baselines of trends: with fewer values a range means little. */
const LEAST_VALUES = 8;

/**
 * The range from the 10th to the 90th percentile of earlier values, in their unit; `null` for fewer than eight. Quantiles rather than
 * a standard deviation, because counts and shares are skewed and a range must not reach below zero.
 */
export function usualRange(values: readonly number[]): { low: number; high: number } | null {
  if (values.length < LEAST_VALUES) return null;
  return { low: quantile(values, 0.1), high: quantile(values, 0.9) };
}
