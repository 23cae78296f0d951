import { type Measured, sizeOf } from './metric-window.ts';
import { median } from './statistics.ts';

/** How far a value is from the median of its baseline; a rise from about zero has no percentage. Ratios say so in points too. Our own. */
export type Change = { changePoints?: number } & (
  | { changeKind: 'percent'; changePercent: number }
  | { changeKind: 'from_zero'; changePercent: null }
);

/** Less than half an event, half a point, a millisecond or a hundredth of a bit is about zero. */
const ABOUT_ZERO = { count: 0.5, ratio: 0.005, gauge: 0.005, duration: 1, entropy: 0.01 } as const;

export function changeFrom(baseline: readonly Measured[], current: Measured): Change {
  const base = median(baseline.map(({ value }) => value));
  const isFromZero = median(baseline.map(sizeOf)) < ABOUT_ZERO[current.kind];
  const points = current.kind === 'ratio' ? { changePoints: 100 * (current.value - base) } : {};
  if (!isFromZero) return { changeKind: 'percent', changePercent: (100 * (current.value - base)) / base, ...points };
  if (sizeOf(current) < ABOUT_ZERO[current.kind]) return { changeKind: 'percent', changePercent: 0, ...points };
  return { changeKind: 'from_zero', changePercent: null, ...points };
}
