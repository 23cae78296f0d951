/** How much a channel may differ in a picture of one colour: JPEG may miss it by one or two. */
const MOST_APART = 4;

/** Whether a picture shows nothing: all of its pixels, four bytes each, are of one colour. */
export function isOneColour(pixels: Uint8ClampedArray): boolean {
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

/** The same of an encoded picture. One that cannot be read counts as a picture that shows something. */
export async function showsNothing(picture: Blob): Promise<boolean> {
  const bitmap = await createImageBitmap(picture).catch(() => undefined);
  if (bitmap === undefined) return false;
  const { width, height } = bitmap;
  const drawing = new OffscreenCanvas(width, height).getContext('2d');
  drawing?.drawImage(bitmap, 0, 0);
  bitmap.close();
  return drawing !== null && isOneColour(drawing.getImageData(0, 0, width, height).data);
}
