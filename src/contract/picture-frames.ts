import { type Static, Type } from 'typebox';
import { Bounds, type Display } from './device.ts';
import { closed } from './literals.ts';

/** The part of the desktop in one picture or description. Later pointer actions give coordinates in it. `source` is in the desktop's units. */
export const Frame = Type.Object(
  {
    frameId: Type.String({ maxLength: 64 }),
    displayId: Type.Union([Type.String(), Type.Null()], { description: 'null where it shows several displays' }),
    source: Bounds,
    scale: Type.Number({ description: 'pixels of the picture per unit of source' }),
    image: Type.Optional(Type.Object({ width: Type.Integer(), height: Type.Integer() }, closed)),
    takenAt: Type.Integer({ description: 'milliseconds since 1970' }),
  },
  closed,
);
export type Frame = Static<typeof Frame>;

/** The part of the desktop that a picture shows. `source` is in the desktop's units, `image` in pixels. */
export type PictureFrame = { source: Bounds; image: { width: number; height: number } };

export type Point = { x: number; y: number };

/** After that a frame is stale, even if nothing seems to have changed. */
export const FRAME_LIVES_MS = 60_000;

/**
 * The point of the desktop that a pointer action means: `x` and `y` are pixels of the frame's picture or, of a frame without one, points
 * of the desktop. `undefined` outside of the frame.
 */
export function globalPoint({ source, image }: Pick<Frame, 'source' | 'image'>, point: Point): Point | undefined {
  if (image !== undefined) return toDesktop({ source, image }, point);
  return isIn(source, point) ? point : undefined;
}

/** A clock that was put back makes a frame stale, too. */
export function isStale({ takenAt }: Pick<Frame, 'takenAt'>, nowMs: number): boolean {
  const ageMs = nowMs - takenAt;
  return !(ageMs >= 0 && ageMs <= FRAME_LIVES_MS);
}

/** The display that shows a point of the desktop, if one does. */
export function displayAt(displays: readonly Display[], point: Point): Display | undefined {
  return displays.find(({ bounds }) => isIn(bounds, point));
}

/** The units of the grid on which some models point, along each side. */
const GRID = 1_000;

/** The middle of a pixel of the picture, as a point of the desktop; `undefined` outside of the picture. */
export function toDesktop({ source, image }: PictureFrame, { x, y }: Point): Point | undefined {
  if (!isWithin(x, image.width) || !isWithin(y, image.height)) return undefined;
  return {
    x: source.x + ((Math.floor(x) + 0.5) * source.width) / image.width,
    y: source.y + ((Math.floor(y) + 0.5) * source.height) / image.height,
  };
}

/** The pixel at a place of the grid from 0 to 1,000, which is stretched over the picture. */
export function onGrid({ image }: PictureFrame, { x, y }: Point): Point | undefined {
  if (!(x >= 0 && x <= GRID && y >= 0 && y <= GRID)) return undefined;
  return {
    x: Math.min(Math.floor((x * image.width) / GRID), image.width - 1),
    y: Math.min(Math.floor((y * image.height) / GRID), image.height - 1),
  };
}

/**
 * The whole units of the desktop that a part of the picture covers; `from` and `to` are its opposite corners, in any order. `undefined`
 * where a corner is outside of the picture or the part is empty.
 */
export function regionOf({ source, image }: PictureFrame, from: Point, to: Point): Bounds | undefined {
  const isInside = [from, to].every(({ x, y }) => x >= 0 && x <= image.width && y >= 0 && y <= image.height);
  if (!isInside || from.x === to.x || from.y === to.y) return undefined;
  const across = spanOf([from.x, to.x], { start: source.x, length: source.width, pixels: image.width });
  const down = spanOf([from.y, to.y], { start: source.y, length: source.height, pixels: image.height });
  return { x: across.start, y: down.start, width: across.length, height: down.length };
}

function spanOf(corners: readonly number[], side: { start: number; length: number; pixels: number }) {
  const at = (corner: number) => side.start + (corner * side.length) / side.pixels;
  const start = Math.floor(at(Math.min(...corners)));
  return { start, length: Math.ceil(at(Math.max(...corners))) - start };
}

function isWithin(place: number, length: number): boolean {
  return place >= 0 && place < length;
}

export function isIn({ x, y, width, height }: Bounds, point: Point): boolean {
  return isWithin(point.x - x, width) && isWithin(point.y - y, height);
}
