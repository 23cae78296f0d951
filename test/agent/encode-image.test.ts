import sharp from 'sharp';
import { expect, onTestFinished, test, vi } from 'vitest';
import { encodeImage } from '../../agent/drivers/pictures/encode-image.ts';

function picture(width: number, height: number) {
  return sharp({ create: { width, height, channels: 3, background: '#336699' } }).png();
}

function noise(size: number) {
  const gaussian = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  return sharp({ create: { width: size, height: size, channels: 3, background: 'black', noise: gaussian } });
}

async function encoded(...[source, parameters]: Parameters<typeof encodeImage>) {
  const result = await encodeImage(source, parameters);
  if (!result.ok) throw new Error(result.message);
  const { width, height, format } = await sharp(result.image.bytes).metadata();
  expect({ width, height }).toEqual({ width: result.image.width, height: result.image.height });
  return { mediaType: result.image.mediaType, format, width, height };
}

test('is a PNG of the same size unless told otherwise', async () => {
  expect(await encoded(picture(64, 48), {})).toEqual({ mediaType: 'image/png', format: 'png', width: 64, height: 48 });
});

test.each(['jpeg', 'webp'] as const)('makes %s', async (format) => {
  expect(await encoded(picture(64, 48), { format })).toMatchObject({ mediaType: `image/${format}`, format });
});

test('the pixels are not copied on the way to the encoder', async () => {
  const copied = vi.spyOn(globalThis, 'structuredClone');
  onTestFinished(() => copied.mockRestore());
  const raw = { width: 64, height: 48, channels: 3 } as const;
  for (const format of ['png', 'jpeg', 'webp'] as const)
    await encoded(sharp(Buffer.alloc(64 * 48 * 3), { raw }), { format });
  expect(copied).not.toHaveBeenCalled();
});

test('a better quality takes more bytes', async () => {
  const sizes = await Promise.all(
    [20, 95].map(async (quality) => {
      const result = await encodeImage(noise(64), { format: 'jpeg', quality });
      return result.ok ? result.image.bytes.byteLength : 0;
    }),
  );
  expect(sizes[0]).toBeLessThan(sizes[1] ?? 0);
});

test('makes it narrower and keeps the proportions, but never wider', async () => {
  expect(await encoded(picture(64, 48), { maxWidth: 32 })).toMatchObject({ width: 32, height: 24 });
  expect(await encoded(picture(64, 48), { maxWidth: 640 })).toMatchObject({ width: 64, height: 48 });
});

test('a picture too large to be handed over is refused with a way out', async () => {
  expect(await encodeImage(noise(64), {}, { limitBytes: 1_024 })).toMatchObject({
    ok: false,
    code: 'artifact_rejected',
    fix: 'Ask for jpeg or webp, or for a smaller maxWidth.',
    sideEffect: 'none',
  });
});
