import { expect, test } from 'vitest';
import { onGrid, regionOf, toDesktop, toPicture } from '../../src/computer-use/frame.ts';
import { widthWithin } from '../../src/computer-use/picture-size.ts';

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
