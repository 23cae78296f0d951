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
