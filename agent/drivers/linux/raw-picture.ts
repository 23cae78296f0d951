import { promisify } from 'node:util';
import { constants, crc32, deflateRaw, type ZlibOptions } from 'node:zlib';
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

const STRIP_ROWS = 128;
const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const ZLIB_HEADER = Buffer.from([0x78, 0x01]);
const SUB_FILTER = 1;
const ADLER_MODULUS = 65_521;
/** So few that the sums of Adler-32 stay below 2³¹, where they are fast. */
const PIXELS_PER_REDUCTION = 1_024;
/** With this share of pixels like the one on their left, a strip has repetitions that are worth looking for. */
const FLAT_SHARE = 0.5;

/**
 * A lossless PNG without alpha (PNG specification, third edition). The picture is cut into strips that are filtered here
 * and deflated in parallel by the threads behind node:zlib: of a photograph that takes half as long as an encoder on one
 * thread, and half its bytes, since photographic strips get Huffman codes without the search for repetitions.
 */
export async function encodePng(picture: RawPicture): Promise<Buffer<ArrayBuffer>> {
  const adler = { low: 1, high: 0 };
  const deflated: Promise<Buffer>[] = [];
  for (let row = 0; row < picture.height; row += STRIP_ROWS) {
    const strip = filterStrip(picture, row, adler);
    deflated.push(deflateStrip(strip, { isLast: row + STRIP_ROWS >= picture.height }));
  }
  const checksum = Buffer.alloc(4);
  checksum.writeUInt16BE(adler.high, 0);
  checksum.writeUInt16BE(adler.low, 2);
  const pixels = [ZLIB_HEADER, ...(await Promise.all(deflated)), checksum];
  return Buffer.concat([
    SIGNATURE,
    ...chunk('IHDR', [header(picture)]),
    ...chunk('IDAT', pixels),
    ...chunk('IEND', []),
  ]);
}

type Strip = { filtered: Buffer; flatShare: number };

/** Each byte becomes its difference to the pixel on its left. Goes on with the Adler-32 checksum of the strip before. */
function filterStrip(
  { width, height, bgrx }: RawPicture,
  firstRow: number,
  adler: { low: number; high: number },
): Strip {
  const rows = Math.min(STRIP_ROWS, height - firstRow);
  const filtered = Buffer.allocUnsafeSlow(rows * (width * 3 + 1));
  let { low, high } = adler;
  let from = firstRow * width * 4;
  let to = 0;
  let flatPixels = 0;
  for (let row = 0; row < rows; row++) {
    filtered[to++] = SUB_FILTER;
    low += SUB_FILTER;
    high += low;
    let red = 0;
    let green = 0;
    let blue = 0;
    for (let left = width; left > 0; left -= PIXELS_PER_REDUCTION) {
      const end = to + 3 * Math.min(left, PIXELS_PER_REDUCTION);
      while (to < end) {
        const nextBlue = bgrx[from] as number;
        const nextGreen = bgrx[from + 1] as number;
        const nextRed = bgrx[from + 2] as number;
        const first = (nextRed - red) & 0xff;
        const second = (nextGreen - green) & 0xff;
        const third = (nextBlue - blue) & 0xff;
        filtered[to] = first;
        filtered[to + 1] = second;
        filtered[to + 2] = third;
        if ((first | second | third) === 0) flatPixels += 1;
        high += 3 * (low + first) + 2 * second + third;
        low += first + second + third;
        red = nextRed;
        green = nextGreen;
        blue = nextBlue;
        from += 4;
        to += 3;
      }
      low %= ADLER_MODULUS;
      high %= ADLER_MODULUS;
    }
  }
  adler.low = low;
  adler.high = high;
  return { filtered, flatShare: flatPixels / (rows * width) };
}

const deflating = promisify<Buffer, ZlibOptions, Buffer>(deflateRaw);

/**
 * Gives the memory of a picture back at once; the bytes can no longer be read. V8 counts such bytes as its own until it looks for garbage
 * everywhere, so that each picture would bring such a search about, which takes longer than reading the pixels.
 */
export function release({ buffer, byteLength }: Uint8Array): void {
  // A part of a larger buffer is not the caller's alone.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

/** Strips but the last end on a byte, and not the stream, so that one can be put after the other. */
async function deflateStrip({ filtered, flatShare }: Strip, { isLast }: { isLast: boolean }): Promise<Buffer> {
  const deflated = await deflating(filtered, {
    level: 1,
    strategy: flatShare > FLAT_SHARE ? constants.Z_DEFAULT_STRATEGY : constants.Z_HUFFMAN_ONLY,
    finishFlush: isLast ? constants.Z_FINISH : constants.Z_SYNC_FLUSH,
    chunkSize: filtered.length + 1_024,
  });
  release(filtered);
  return deflated;
}

function header({ width, height }: RawPicture): Buffer {
  const fields = Buffer.alloc(13);
  fields.writeUInt32BE(width, 0);
  fields.writeUInt32BE(height, 4);
  fields.set([8, 2], 8);
  return fields;
}

function chunk(type: string, parts: readonly Buffer[]): Buffer[] {
  const start = Buffer.alloc(8);
  start.writeUInt32BE(
    parts.reduce((length, part) => length + part.length, 0),
    0,
  );
  start.write(type, 4, 'latin1');
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(
    parts.reduce((sum, part) => crc32(part, sum), crc32(start.subarray(4))),
    0,
  );
  return [start, ...parts, checksum];
}
