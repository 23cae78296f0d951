import { expect, test } from 'vitest';
import { isOneColour } from '../../src/contract/pictures.ts';

const picture = (...colours: number[][]) => new Uint8ClampedArray(colours.flatMap((colour) => [...colour, 255]));
const WHITE = [255, 255, 255];

test.each([
  ['white', picture(WHITE, WHITE, WHITE), true],
  ['a grey that JPEG missed by a little', picture([40, 40, 40], [41, 39, 42]), true],
  ['white with one dark pixel', picture(WHITE, WHITE, [30, 30, 30]), false],
  ['white with one reddish pixel', picture(WHITE, [255, 240, 240]), false],
])('a picture of %s: is it of one colour?', (_what, pixels, expected) => {
  expect(isOneColour(pixels)).toBe(expected);
});
