import { isOneColour } from '../../../src/contract/one-colour.ts';

/** Whether an encoded picture shows nothing. One that cannot be read counts as a picture that shows something. */
export async function showsNothing(picture: Blob): Promise<boolean> {
  const bitmap = await createImageBitmap(picture).catch(() => undefined);
  if (bitmap === undefined) return false;
  const { width, height } = bitmap;
  const drawing = new OffscreenCanvas(width, height).getContext('2d');
  drawing?.drawImage(bitmap, 0, 0);
  bitmap.close();
  return drawing !== null && isOneColour(drawing.getImageData(0, 0, width, height).data);
}
