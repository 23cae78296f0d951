import type { MetricType } from '../../contract/guardian.ts';
import { measuredOf } from '../recording/metric-windows.ts';
import { measure, type Recorded } from '../recording/metrics.ts';
import { HELD_CONTROLS, type HeldControl, type HeldCounts, heldCounts } from '../risk/refusing-controls.ts';
import { median } from '../statistics/statistics.ts';
import { metricZ } from './metric-deviation.ts';

/** As for baselines of trends: the least of which a median means something. */
const LEAST_WINDOWS = 8;

/** The usual values on this desktop, in windows of one length. */
export type Usual = {
  /** The median of a metric, in its unit; `null` where there is no history of it. */
  medianOf(type: MetricType): number | null;
  /** The median and the largest of its amounts. */
  amountOf(type: MetricType): { median: number; largest: number } | null;
  /** The z-score of a window of this length among the earlier ones, -8 to 8; `null` where it has no value or no history. */
  zOf(type: MetricType, recorded: Recorded): number | null;
  /** The median of how often each control held; 0 where there is no history. */
  held: HeldCounts;
  hasHistory: boolean;
};

/**
 * The medians over earlier windows of one length. Windows without a request are left out, because they do not
 * show how much is usual while the desktop is used. At least eight windows must remain.
 */
export function usualOf(earlier: readonly Recorded[]): Usual {
  const used = earlier.filter(({ rollup, upTime }) => upTime.upMs > 0 && rollup.counters.requested > 0);
  const hasHistory = used.length >= LEAST_WINDOWS;
  const measured = remembered((type) => used.flatMap((each) => measuredOf(type, each) ?? []));
  return {
    medianOf: remembered((type) => medianOrNull(used.map((each) => measure(type, each).value))),
    amountOf: remembered((type) => {
      const amounts = used.map((each) => amountOf(type, each));
      return hasHistory ? { median: median(amounts), largest: Math.max(...amounts) } : null;
    }),
    zOf(type, recorded) {
      const current = measuredOf(type, recorded);
      const before = measured(type);
      return current === null || before.length < LEAST_WINDOWS ? null : metricZ(current, before);
    },
    held: usualHeld(hasHistory ? used : []),
    hasHistory,
  };
}

/** Before there is any history. */
export const NOTHING_USUAL: Usual = usualOf([]);

/** How much there was of a metric: the number of requests for the rate of them, since a short day has a high rate; otherwise its value. */
export function amountOf(type: MetricType, recorded: Recorded): number {
  const { value, sampleSize } = measure(type, recorded);
  return type === 'action_rate' ? sampleSize : (value ?? 0);
}

function medianOrNull(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length < LEAST_WINDOWS ? null : median(known);
}

function remembered<Value extends object | number | null>(
  work: (type: MetricType) => Value,
): (type: MetricType) => Value {
  const known = new Map<MetricType, Value>();
  return (type) => {
    const before = known.get(type);
    if (before !== undefined) return before;
    const value = work(type);
    known.set(type, value);
    return value;
  };
}

function usualHeld(used: readonly Recorded[]): HeldCounts {
  const counts = used.map(({ rollup }) => heldCounts(rollup));
  const usual = (control: HeldControl) => (counts.length === 0 ? 0 : median(counts.map((each) => each[control])));
  return Object.fromEntries(HELD_CONTROLS.map((control) => [control, usual(control)])) as HeldCounts;
}
