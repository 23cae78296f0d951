import type { Bounds } from '../contract/device.ts';

/** The part of the desktop that a picture shows. `source` is in the desktop's units, `image` in pixels. */
export type Frame = { source: Bounds; image: { width: number; height: number } };

export type Point = { x: number; y: number };

/** The units of the grid on which some models point, along each side. */
const GRID = 1_000;

/** The middle of a pixel of the picture, as a point of the desktop; `undefined` outside of the picture. */
export function toDesktop({ source, image }: Frame, { x, y }: Point): Point | undefined {
  if (!isWithin(x, image.width) || !isWithin(y, image.height)) return undefined;
  return {
    x: source.x + ((Math.floor(x) + 0.5) * source.width) / image.width,
    y: source.y + ((Math.floor(y) + 0.5) * source.height) / image.height,
  };
}

/** The pixel of the picture in which a point of the desktop lies; `undefined` outside of the picture. */
export function toPicture({ source, image }: Frame, { x, y }: Point): Point | undefined {
  const pixel = {
    x: Math.floor(((x - source.x) * image.width) / source.width),
    y: Math.floor(((y - source.y) * image.height) / source.height),
  };
  return isWithin(pixel.x, image.width) && isWithin(pixel.y, image.height) ? pixel : undefined;
}

/** The pixel at a place of the grid from 0 to 1,000, which is stretched over the picture. */
export function onGrid({ image }: Frame, { x, y }: Point): Point | undefined {
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
export function regionOf({ source, image }: Frame, from: Point, to: Point): Bounds | undefined {
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
