import sharp from 'sharp';
import { expect, test } from 'vitest';
import { encodePng, toRgb } from '../../../agent/drivers/linux/raw-picture.ts';

type Pixel = (index: number) => number;
const PIXELS: Record<string, Pixel> = {
  flat: () => 0x336699,
  noisy: (index) => Math.imul(index + 1, 2_654_435_761) >>> 8,
  'half flat, half noisy': (index) => (index % 600 < 300 ? 0xffffff : Math.imul(index + 1, 2_654_435_761) >>> 8),
};

function picture(width: number, height: number, pixel: Pixel) {
  const bgrx = Buffer.alloc(width * height * 4);
  for (let index = 0; index < width * height; index++) bgrx.writeUInt32LE(pixel(index) >>> 0, index * 4);
  return { width, height, bgrx };
}

const SIZES = [
  [1, 1],
  [3, 2],
  [640, 128],
  [641, 129],
  [1_025, 300],
  [1_920, 1_080],
] as const;

test.each(SIZES.flatMap(([width, height]) => Object.keys(PIXELS).map((kind) => ({ width, height, kind }))))(
  'a $kind picture of $width × $height comes back pixel for pixel',
  async ({ width, height, kind }) => {
    const original = picture(width, height, PIXELS[kind] as Pixel);
    const { data, info } = await sharp(await encodePng(original))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect({ width: info.width, height: info.height, channels: info.channels }).toEqual({ width, height, channels: 3 });
    expect(data.equals(toRgb(original))).toBe(true);
  },
);

test('a flat picture takes next to nothing, a noisy one no more than its pixels', async () => {
  const [flat, noisy] = await Promise.all(
    ['flat', 'noisy'].map(async (kind) => (await encodePng(picture(800, 600, PIXELS[kind] as Pixel))).length),
  );
  expect(flat).toBeLessThan(10_000);
  expect(noisy).toBeLessThan(800 * 600 * 3 * 1.02);
});

test('the unused fourth byte is of no consequence', async () => {
  const [one, other] = [picture(64, 64, () => 0x00112233), picture(64, 64, () => 0xff112233)];
  expect((await encodePng(one)).equals(await encodePng(other))).toBe(true);
});
