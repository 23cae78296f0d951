import type { Bounds } from '../../../src/contract/device.ts';

/** The part two areas share; `null` when they share none. */
export function intersection(one: Bounds, other: Bounds): Bounds | null {
  const x = Math.max(one.x, other.x);
  const y = Math.max(one.y, other.y);
  const width = Math.min(one.x + one.width, other.x + other.width) - x;
  const height = Math.min(one.y + one.height, other.y + other.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}
