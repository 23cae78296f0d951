import type { Shape, ShapeRectangles } from 'x11';
import type { RawPicture } from './raw-picture.ts';
import type { Ask } from './x-line.ts';

const BOUNDING = 0;
const BYTES_PER_PIXEL = 4;

/** Left, top, width and height of each part, from the window's own corner. */
export type ShapeParts = ShapeRectangles['rectangles'];

/** The parts of a window that it fills, where that is not all of it. The rest of its rectangle shows other windows. */
export async function shapeOf(ask: Ask, shape: Shape | null, window: number): Promise<ShapeParts | null> {
  if (shape === null) return null;
  const [extents, parts] = await Promise.all([
    ask<{ boundingShaped: boolean }>((_client, reply) => shape.QueryExtents(window, reply)),
    ask<ShapeRectangles>((_client, reply) => shape.GetRectangles(window, BOUNDING, reply)),
  ]);
  return extents?.boundingShaped === true ? (parts?.rectangles ?? []) : null;
}

/** The picture with everything blank that is beside the parts; `left` and `top` are where the picture begins in the window. */
export function onlyParts(
  picture: RawPicture,
  parts: ShapeParts,
  { left, top }: { left: number; top: number },
): RawPicture {
  const { width, height, bgrx } = picture;
  const kept = new Uint8Array(bgrx.length);
  for (const [x, y, partWidth, partHeight] of parts) {
    const [from, to] = [Math.max(0, x - left), Math.min(width, x - left + partWidth)];
    const [first, end] = [Math.max(0, y - top), Math.min(height, y - top + partHeight)];
    for (let row = first; row < end && from < to; row += 1) {
      const start = (row * width + from) * BYTES_PER_PIXEL;
      kept.set(bgrx.subarray(start, start + (to - from) * BYTES_PER_PIXEL), start);
    }
  }
  return { width, height, bgrx: kept };
}
