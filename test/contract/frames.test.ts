import fc from 'fast-check';
import { expect, test } from 'vitest';
import { widthWithin } from '../../src/computer-use/member.ts';
import {
  displayAt,
  globalPoint,
  isStale,
  onGrid,
  type PictureFrame,
  type Point,
  regionOf,
  toDesktop,
} from '../../src/contract/picture-frames.ts';

/** The pixel of the picture in which a point of the desktop lies. */
function toPicture({ source, image }: PictureFrame, { x, y }: Point): Point {
  return {
    x: Math.floor(((x - source.x) * image.width) / source.width),
    y: Math.floor(((y - source.y) * image.height) / source.height),
  };
}

const FRAMES = {
  'a scaled picture': { source: { x: 0, y: 0, width: 1920, height: 1080 }, image: { width: 1429, height: 804 } },
  'a Retina display': { source: { x: 0, y: 0, width: 1440, height: 900 }, image: { width: 2880, height: 1800 } },
  'a display left of the main one': {
    source: { x: -1280, y: -200, width: 1280, height: 1024 },
    image: { width: 1198, height: 959 },
  },
};

test.each(Object.entries(FRAMES))('each corner and the middle of %s is mapped there and back', (_name, frame) => {
  const { width, height } = frame.image;
  const points = [
    { x: 0, y: 0 },
    { x: width - 1, y: height - 1 },
    { x: Math.floor(width / 2), y: Math.floor(height / 3) },
  ];
  expect(points.map((point) => toPicture(frame, toDesktop(frame, point) ?? { x: Number.NaN, y: 0 }))).toEqual(points);
  expect([toDesktop(frame, { x: width, y: 0 }), toDesktop(frame, { x: -1, y: 0 })]).toEqual([undefined, undefined]);
});

test('the grid of a thousand reaches from the first to the last pixel', () => {
  const frame = FRAMES['a Retina display'];
  expect(onGrid(frame, { x: 0, y: 0 })).toEqual({ x: 0, y: 0 });
  expect(onGrid(frame, { x: 1_000, y: 1_000 })).toEqual({ x: 2879, y: 1799 });
  expect(onGrid(frame, { x: 1_001, y: 0 })).toBe(undefined);
});

test('a region covers the units of the desktop under it, also at negative places', () => {
  const frame = FRAMES['a display left of the main one'];
  const whole = regionOf(frame, { x: 1198, y: 959 }, { x: 0, y: 0 });
  expect(whole).toEqual({ x: -1280, y: -200, width: 1280, height: 1024 });
  expect(regionOf(frame, { x: 5, y: 5 }, { x: 5, y: 9 })).toBe(undefined);
});

test.each([
  [{ width: 1920, height: 1080 }],
  [{ width: 1080, height: 1920 }],
  [{ width: 5120, height: 1440 }],
  [{ width: 1440, height: 900 }],
])('a picture of %o stays within the limits', (size) => {
  const limits = { width: 1_568, height: 1_568, pixels: 1_150_000 };
  const width = widthWithin(limits, size);
  const height = Math.ceil((width * size.height) / size.width);
  expect(width <= 1_568 && height <= 1_568 && width * height <= 1_150_000).toBe(true);
  expect(width * height).toBeGreaterThan(600_000);
});

const LEFT_OF_MAIN = { x: -1280, y: -200, width: 1280, height: 1024 };

test('the middle of a pixel is meant, so that no scale hits the neighbour of what the picture shows', () => {
  const retina = { source: { x: 0, y: 0, width: 1440, height: 900 }, image: { width: 2880, height: 1800 } };
  expect(globalPoint(retina, { x: 1, y: 3 })).toEqual({ x: 0.75, y: 1.75 });
  const half = { source: LEFT_OF_MAIN, image: { width: 640, height: 512 } };
  expect(globalPoint(half, { x: 0, y: 511 })).toEqual({ x: -1279, y: 823 });
  expect(globalPoint(half, { x: 640, y: 0 })).toBeUndefined();
  expect(globalPoint(half, { x: Number.NaN, y: 0 })).toBeUndefined();
});

test('in a frame without a picture the coordinates are points of the desktop within what it shows', () => {
  expect(globalPoint({ source: LEFT_OF_MAIN }, { x: -1280, y: -200 })).toEqual({ x: -1280, y: -200 });
  expect(globalPoint({ source: LEFT_OF_MAIN }, { x: 0, y: 0 })).toBeUndefined();
});

test('a frame is stale after a minute, and when the clock was put back', () => {
  expect([0, 60_000, 60_001, -1, Number.NaN].map((ageMs) => isStale({ takenAt: 1_000 }, 1_000 + ageMs))).toEqual([
    false,
    false,
    true,
    true,
    true,
  ]);
});

test('each display has its own points, and its right and lower edge belong to the next', () => {
  const display = { name: 'a', primary: true, scale: 1 };
  const displays = [
    { ...display, id: 'main', bounds: { x: 0, y: 0, width: 1920, height: 1080 } },
    { ...display, id: 'left', bounds: LEFT_OF_MAIN },
  ];
  const at = (x: number, y: number) => displayAt(displays, { x, y })?.id;
  expect([at(0, 0), at(-1, 0), at(-1280, -200), at(1920, 0), at(-1, 824)]).toEqual([
    'main',
    'left',
    'left',
    undefined,
    undefined,
  ]);
});

const place = fc.integer({ min: -3_000, max: 3_000 });
const extent = fc.integer({ min: 1, max: 4_000 });
const share = fc.double({ min: 0, max: 0.999_999, noNaN: true });

test('the middle of each pixel lies on the display and comes back to its pixel, at every scale and place', () => {
  fc.assert(
    fc.property(
      fc.record({ x: place, y: place, width: extent, height: extent }),
      fc.record({ width: extent, height: extent }),
      fc.tuple(share, share),
      (source, image, [across, down]) => {
        const pixel = { x: Math.floor(image.width * across), y: Math.floor(image.height * down) };
        const point = globalPoint({ source, image }, pixel) ?? { x: Number.NaN, y: Number.NaN };
        expect(point).toEqual({
          x: source.x + ((pixel.x + 0.5) * source.width) / image.width,
          y: source.y + ((pixel.y + 0.5) * source.height) / image.height,
        });
        expect(displayAt([{ id: 'a', name: 'a', primary: true, scale: 1, bounds: source }], point)).toBeDefined();
        expect(toPicture({ source, image }, point)).toEqual(pixel);
      },
    ),
    { numRuns: 2_000 },
  );
});
