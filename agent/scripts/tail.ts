/** Keeps the end of a stream: at most `mostBytes`, however much comes. */
export function createTail(mostBytes: number) {
  let pieces: Buffer[] = [];
  let kept = 0;
  let total = 0;

  function bytes(): Buffer {
    const whole = Buffer.concat(pieces);
    return whole.subarray(Math.max(0, whole.length - mostBytes));
  }

  return {
    add(piece: Buffer): void {
      pieces.push(piece);
      kept += piece.length;
      total += piece.length;
      if (kept <= 2 * mostBytes) return;
      pieces = [Buffer.from(bytes())];
      kept = mostBytes;
    },
    bytes,
    isCut: () => total > mostBytes,
  };
}
