/** How much a channel may differ in a picture of one colour: JPEG may miss it by one or two. */
const MOST_APART = 4;

/** Whether a picture shows nothing: all of its pixels, four bytes each, are of one colour. */
export function isOneColour(pixels: Uint8Array | Uint8ClampedArray): boolean {
  const [red = 0, green = 0, blue = 0] = pixels;
  for (let at = 0; at < pixels.length; at += 4) {
    if (
      Math.abs((pixels[at] ?? 0) - red) > MOST_APART ||
      Math.abs((pixels[at + 1] ?? 0) - green) > MOST_APART ||
      Math.abs((pixels[at + 2] ?? 0) - blue) > MOST_APART
    )
      return false;
  }
  return true;
}
