import type { Bounds } from '../../src/contract/device.ts';

/** Nowhere is the same only as nowhere. */
export function isSameBounds(one: Bounds | null, other: Bounds | null): boolean {
  if (one === null || other === null) return one === other;
  return (['x', 'y', 'width', 'height'] as const).every((side) => one[side] === other[side]);
}
