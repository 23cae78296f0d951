import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { shownPicture } from '../../src/mcp/action-calls.ts';

/** Noise, which no encoder makes small. */
async function noise(width: number, height: number) {
  const raw = { width, height, channels: 3 } as const;
  const bytes = await sharp(randomBytes(width * height * 3), { raw })
    .png()
    .toBuffer();
  return { bytes, mediaType: 'image/png', width, height };
}

test('a picture within the limits stays as it is', async () => {
  const original = await noise(64, 40);
  expect(await shownPicture(original)).toEqual({
    base64: original.bytes.toString('base64'),
    mediaType: 'image/png',
    width: 64,
    height: 40,
  });
});

test('a large picture has at most 1,568 px on its long edge and 900 kB, in its proportions', async () => {
  const shown = await shownPicture(await noise(1_200, 2_400));
  expect(shown.base64.length).toBeLessThanOrEqual(900_000);
  expect(Math.max(shown.width, shown.height)).toBeLessThanOrEqual(1_568);
  expect(shown.width / shown.height).toBeCloseTo(0.5, 2);
  const { format, width, height } = await sharp(Buffer.from(shown.base64, 'base64')).metadata();
  expect({ format, width, height }).toEqual({ format: 'jpeg', width: shown.width, height: shown.height });
});

test('bytes that are no picture, and a picture of too many pixels, are refused, and the next picture is not', async () => {
  const wrong = { bytes: Buffer.alloc(100), mediaType: 'image/png', width: 5_000, height: 5_000 };
  await expect(shownPicture(wrong)).rejects.toThrow();
  const flat = { width: 20_000, height: 20_000, channels: 3, background: 'white' } as const;
  const huge = await sharp({ create: flat, limitInputPixels: false }).png().toBuffer();
  await expect(shownPicture({ ...wrong, bytes: huge, width: 20_000, height: 20_000 })).rejects.toThrow(/pixel limit/);
  expect(await shownPicture(await noise(1_600, 20))).toMatchObject({ width: 1_568, height: 20 });
});
