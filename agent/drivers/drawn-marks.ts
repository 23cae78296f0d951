import type { Bounds } from '../../src/contract/device.ts';
import type { Mark } from '../../src/contract/screen.ts';

/** Draws over a picture of a part of the desktop, `scale` pixels a unit. */
export type Overlay = (bounds: Bounds, scale: number) => Buffer;

/** Ten digits, 3 dots wide and 5 high, a row after the other. Drawn, because a machine may have no font. */
const DIGITS = [
  ...['111101101101111', '010110010010111', '111001111100111', '111001111001111', '101101111001001'],
  ...['111100111001111', '111100111101111', '111001010010010', '111101111101111', '111101111001111'],
];
const COLOURS = ['#c2185b', '#1565c0', '#2e7d32', '#6a1b9a', '#bf360c'];
const DOT = 2;
const [WIDE, HIGH, GAP] = [3 * DOT, 5 * DOT, 2];

/** Numbered boxes as a picture of the same size. A number stands in the upper left corner of its box. */
export function drawnMarks(marks: readonly Mark[], { bounds, scale }: { bounds: Bounds; scale: number }): Buffer {
  const boxes = marks.map(({ mark, bounds: box }) => {
    const colour = COLOURS[mark % COLOURS.length] ?? '#000';
    const [x, y] = [Math.round((box.x - bounds.x) * scale), Math.round((box.y - bounds.y) * scale)];
    const [width, height] = [Math.max(1, Math.round(box.width * scale)), Math.max(1, Math.round(box.height * scale))];
    const frame = `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="none" stroke="${colour}"/>`;
    return `${frame}${numberAt(mark, { x: Math.max(0, x), y: Math.max(0, y), colour })}`;
  });
  const [width, height] = [Math.round(bounds.width * scale), Math.round(bounds.height * scale)];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" shape-rendering="crispEdges">${boxes.join('')}</svg>`;
  return Buffer.from(svg);
}

function numberAt(number: number, { x, y, colour }: { x: number; y: number; colour: string }): string {
  const digits = [...String(number)];
  const width = digits.length * (WIDE + GAP) + GAP;
  const dots = digits.flatMap((digit, place) => dotsOf(Number(digit), x + GAP + place * (WIDE + GAP), y + GAP));
  const plate = `<rect x="${x}" y="${y}" width="${width}" height="${HIGH + 2 * GAP}" fill="${colour}"/>`;
  return `${plate}<path fill="#fff" d="${dots.join('')}"/>`;
}

function dotsOf(digit: number, left: number, top: number): string[] {
  return [...(DIGITS[digit] ?? '')].flatMap((dot, index) =>
    dot === '0' ? [] : `M${left + (index % 3) * DOT} ${top + Math.floor(index / 3) * DOT}h${DOT}v${DOT}h-${DOT}z`,
  );
}
