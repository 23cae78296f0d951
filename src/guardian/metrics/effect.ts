import type { Good } from '../../contract/metrics.ts';

export type Effect = 'improving' | 'worsening' | 'neutral';

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
