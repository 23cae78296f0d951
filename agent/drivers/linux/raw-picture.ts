import type { Drawing } from '../pictures/drawn-marks.ts';

/** Pixels as an X server hands them out: rows from the top without gaps, 4 bytes a pixel: blue, green, red, unused. */
export type RawPicture = { width: number; height: number; bgrx: Uint8Array };

/** Red, green, blue, 3 bytes a pixel. */
export function toRgb({ width, height, bgrx }: RawPicture): Buffer<ArrayBuffer> {
  const pixels = width * height;
  const rgb = Buffer.allocUnsafeSlow(pixels * 3);
  for (let from = 0, to = 0; from < pixels * 4; from += 4, to += 3) {
    rgb[to] = bgrx[from + 2] as number;
    rgb[to + 1] = bgrx[from + 1] as number;
    rgb[to + 2] = bgrx[from] as number;
  }
  return rgb;
}

/** Draws over the pixels themselves. */
export function paint({ width, height, bgrx }: RawPicture, drawing: Drawing): void {
  for (const { x, y, width: wide, height: high, colour } of drawing) {
    const [from, to] = [Math.max(0, x), Math.min(width, x + wide)];
    const [red = 0, green = 0, blue = 0] = Buffer.from(colour.slice(1), 'hex');
    for (let row = Math.max(0, y); row < Math.min(height, y + high); row += 1) {
      for (let at = (row * width + from) * 4; at < (row * width + to) * 4; at += 4) {
        bgrx[at] = blue;
        bgrx[at + 1] = green;
        bgrx[at + 2] = red;
      }
    }
  }
}
