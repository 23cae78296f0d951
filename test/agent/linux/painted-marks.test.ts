import sharp from 'sharp';
import { expect, test } from 'vitest';
import { paint, type RawPicture, toRgb } from '../../../agent/drivers/linux/raw-picture.ts';
import { drawnMarks, svgOf } from '../../../agent/drivers/pictures/drawn-marks.ts';
import type { Mark } from '../../../src/contract/screen.ts';

function mark(number: number, bounds: Mark['bounds']): Mark {
  return { mark: number, elementId: `e${number}`, role: 'button', name: '', bounds };
}

const [width, height] = [120, 80];
/** Boxes inside of the picture, over each other, over each of its edges, and outside of it. */
const MARKS = [
  mark(1, { x: 10, y: 12, width: 30, height: 20 }),
  mark(42, { x: 20, y: 20, width: 60, height: 30 }),
  mark(307, { x: -8, y: -5, width: 40, height: 30 }),
  mark(8, { x: 100, y: 60, width: 50, height: 50 }),
  mark(9, { x: 500, y: 500, width: 5, height: 5 }),
  mark(6, { x: 60, y: 5, width: 0, height: 0 }),
];

test('marks painted into the pixels are the same as marks that are laid over as a picture', async () => {
  const bgrx = new Uint8Array(width * height * 4).map((_, index) => (index * 7) % 251);
  const picture: RawPicture = { width, height, bgrx };
  const drawing = drawnMarks(MARKS, { bounds: { x: 0, y: 0, width, height }, scale: 1 });
  const laidOver = await sharp(toRgb(picture), { raw: { width, height, channels: 3 } })
    .composite([{ input: svgOf(drawing, picture) }])
    .removeAlpha()
    .raw()
    .toBuffer();
  const before = toRgb(picture);
  paint(picture, drawing);
  expect(toRgb(picture).equals(before)).toBe(false);
  expect(toRgb(picture).equals(laidOver)).toBe(true);
});
