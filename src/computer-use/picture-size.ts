/** The largest picture that a vendor recommends, in pixels. */
export type PictureLimits = { width: number; height: number; pixels: number };

type Size = { width: number; height: number };

/** The limits of TakeScreenshot on the width that it is asked for. */
const SMALLEST = 16;
const LARGEST = 16_384;

/** The largest width at which a picture of these proportions stays within the limits. */
export function widthWithin(limits: PictureLimits, { width, height }: Size): number {
  const perPixel = height / width;
  const heightAt = (wide: number) => Math.ceil(wide * perPixel);
  const bound = Math.min(limits.width, limits.height / perPixel, Math.sqrt(limits.pixels / perPixel), LARGEST);
  const first = Math.floor(bound);
  // The height is rounded up to whole pixels, which may take the picture over a limit by less than one row.
  const isOver = heightAt(first) > limits.height || first * heightAt(first) > limits.pixels;
  return Math.max(isOver ? first - Math.ceil(1 / perPixel) : first, SMALLEST);
}

/** At this width no usual display, also an upright one, is over the limits of any vendor. */
export const WIDTH_FOR_ANY_DISPLAY = 640;
