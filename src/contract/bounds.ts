import type { Bounds } from './device.ts';

export function intersects(one: Bounds, other: Bounds): boolean {
  const across = one.x < other.x + other.width && other.x < one.x + one.width;
  return across && one.y < other.y + other.height && other.y < one.y + one.height;
}

/** The part two areas share; `null` when they share none. */
export function intersection(one: Bounds, other: Bounds): Bounds | null {
  const x = Math.max(one.x, other.x);
  const y = Math.max(one.y, other.y);
  const width = Math.min(one.x + one.width, other.x + other.width) - x;
  const height = Math.min(one.y + one.height, other.y + other.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}

/** The smallest area that holds all of them; there must be one. */
export function around(areas: readonly { bounds: Bounds }[]): Bounds {
  const x = Math.min(...areas.map(({ bounds }) => bounds.x));
  const y = Math.min(...areas.map(({ bounds }) => bounds.y));
  const right = Math.max(...areas.map(({ bounds }) => bounds.x + bounds.width));
  const bottom = Math.max(...areas.map(({ bounds }) => bounds.y + bounds.height));
  return { x, y, width: right - x, height: bottom - y };
}

/** Nowhere is the same only as nowhere. */
export function isSameBounds(one: Bounds | null, other: Bounds | null): boolean {
  if (one === null || other === null) return one === other;
  return (['x', 'y', 'width', 'height'] as const).every((side) => one[side] === other[side]);
}
