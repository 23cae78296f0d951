import { type Measured, sizeOf, sizesAt } from '../metrics/metric-window.ts';
import { median } from '../statistics/statistics.ts';

/** How far a window is from the median of its baseline, at the exposure of the window; a rise from about zero has no percentage. Ratios say so in points too. Our own. */
export type Change = { changePoints?: number } & (
  | { changeKind: 'percent'; changePercent: number }
  | { changeKind: 'from_zero'; changePercent: null }
);

/** Less than half an event, half a point, a millisecond or a hundredth of a bit is about zero. */
const ABOUT_ZERO = { count: 0.5, ratio: 0.005, gauge: 0.005, duration: 1, entropy: 0.01 } as const;

/** A rise to more than this many times a base of a few events is from about nothing, and its percentage says nothing. */
const FROM_FEW = { base: 5, times: 10 };

export function changeFrom(baseline: readonly Measured[], current: Measured): Change {
  const base = median(sizesAt(current, baseline));
  const size = sizeOf(current);
  const points = current.kind === 'ratio' ? { changePoints: 100 * (size - base) } : {};
  const isFromFew = current.kind === 'count' && base < FROM_FEW.base && size > FROM_FEW.times * base;
  if (base >= ABOUT_ZERO[current.kind] && !isFromFew)
    return { changeKind: 'percent', changePercent: (100 * (size - base)) / base, ...points };
  if (size < ABOUT_ZERO[current.kind]) return { changeKind: 'percent', changePercent: 0, ...points };
  return { changeKind: 'from_zero', changePercent: null, ...points };
}
