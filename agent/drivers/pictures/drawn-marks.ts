import type { Bounds } from '../../../src/contract/device.ts';
import type { Mark } from '../../../src/contract/screen.ts';

/** The marks over a picture of a part of the desktop, `scale` pixels a unit. */
export type Overlay = (bounds: Bounds, scale: number) => Drawing;

/** Filled rectangles in whole pixels, a later one over those before it. They may go beyond the picture. */
export type Drawing = readonly Rectangle[];
type Rectangle = Bounds & { colour: string };

/** Ten digits, 3 dots wide and 5 high, a row after the other. Drawn, because a machine may have no font. */
const DIGITS = [
  ...['111101101101111', '010110010010111', '111001111100111', '111001111001111', '101101111001001'],
  ...['111100111001111', '111100111101111', '111001010010010', '111101111101111', '111101111001111'],
];
const COLOURS = ['#c2185b', '#1565c0', '#2e7d32', '#6a1b9a', '#bf360c'];
const DOT = 2;
const [WIDE, HIGH, GAP] = [3 * DOT, 5 * DOT, 2];

/** Numbered boxes. A number stands in the upper left corner of its box. */
export function drawnMarks(marks: readonly Mark[], { bounds, scale }: { bounds: Bounds; scale: number }): Drawing {
  return marks.flatMap(({ mark, bounds: box }) => {
    const colour = COLOURS[mark % COLOURS.length] ?? '#000000';
    const [x, y] = [Math.round((box.x - bounds.x) * scale), Math.round((box.y - bounds.y) * scale)];
    const [width, height] = [Math.max(1, Math.round(box.width * scale)), Math.max(1, Math.round(box.height * scale))];
    return [
      ...frameOf({ x, y, width, height }, colour),
      ...numberAt(mark, { x: Math.max(0, x), y: Math.max(0, y), colour }),
    ];
  });
}

/** The drawing as a picture of its own, for programs that lay one picture over another. */
export function svgOf(drawing: Drawing, { width, height }: { width: number; height: number }): Buffer {
  const boxes = drawing.map(
    ({ x, y, width: wide, height: high, colour }) =>
      `<rect x="${x}" y="${y}" width="${wide}" height="${high}" fill="${colour}"/>`,
  );
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" shape-rendering="crispEdges">${boxes.join('')}</svg>`,
  );
}

function frameOf({ x, y, width, height }: Bounds, colour: string): Rectangle[] {
  return [
    { x, y, width, height: 1, colour },
    { x, y: y + height - 1, width, height: 1, colour },
    { x, y, width: 1, height, colour },
    { x: x + width - 1, y, width: 1, height, colour },
  ];
}

function numberAt(number: number, { x, y, colour }: { x: number; y: number; colour: string }): Rectangle[] {
  const digits = [...String(number)];
  const width = digits.length * (WIDE + GAP) + GAP;
  const dots = digits.flatMap((digit, place) => dotsOf(Number(digit), x + GAP + place * (WIDE + GAP), y + GAP));
  return [{ x, y, width, height: HIGH + 2 * GAP, colour }, ...dots];
}

function dotsOf(digit: number, left: number, top: number): Rectangle[] {
  return [...(DIGITS[digit] ?? '')].flatMap((dot, index) => {
    const [x, y] = [left + (index % 3) * DOT, top + Math.floor(index / 3) * DOT];
    return dot === '0' ? [] : [{ x, y, width: DOT, height: DOT, colour: '#ffffff' }];
  });
}
