/**
 * Gives the memory of a picture back at once; the bytes can no longer be read. V8 counts such bytes as its own until it looks for garbage
 * everywhere, so that each picture would bring such a search about, which takes longer than reading the pixels.
 */
export function release({ buffer, byteLength }: Uint8Array): void {
  // A part of a larger buffer is not the caller's alone.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
