import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import sharp from 'sharp';

/** The states that the tray shows. Each has an image of its own, so that it can be told apart without colour. */
export const TRAY_STATES = ['idle', 'acting', 'asking', 'paused', 'trouble'] as const;
type TrayState = (typeof TRAY_STATES)[number];

/** The mark of Handrail in a square of 32: a rail on two posts. The page has the same in `renderer/src/handrail.svg`. */
const RAIL = 'M6 20 26 11M10 18.2V26M22 12.8V26';

/** The mark on its tile. macOS leaves a margin around the tile of an app: 824 of 1024 points are filled, with a radius of 185. */
const APP_ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1024 1024">
  <rect x="100" y="100" width="824" height="824" rx="185" fill="#2f6f6a"/>
  <g transform="translate(100 100) scale(25.75)"><path d="${RAIL}" ${stroke('#fff', 3)}/></g>
</svg>`;

/** Beside the rail, at the top left where it leaves room: nothing, a triangle, a dot, two bars, or a bar over a dot. */
const SIGNS: Record<TrayState, string> = {
  idle: '',
  acting: '<path d="M4 2 14 8 4 14Z"/>',
  asking: '<circle cx="8" cy="8" r="6"/>',
  paused: '<path d="M3 2H7V14H3ZM10 2H14V14H10Z"/>',
  trouble: '<path d="M6 1H10V9H6ZM6 11H10V15H6Z"/>',
};

/** Width and height of a tray image, in points. */
const TRAY_SIZE = 18;

/** By Apple's four letters for each: the width and height of the PNG in pixels. */
const ICNS_SIZES: Record<string, number> = {
  ...{ icp4: 16, icp5: 32, ic07: 128, ic08: 256, ic09: 512 },
  // At twice the resolution: 16, 32, 128, 256 and 512 points.
  ...{ ic11: 32, ic12: 64, ic13: 256, ic14: 512, ic10: 1024 },
};

/**
 * Writes the template images of the tray, which macOS colours by their transparency: `<state>Template.png` and
 * `<state>Template@2x.png` for each state.
 */
export async function writeTrayImages(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const state of TRAY_STATES) {
    for (const [ending, scale] of Object.entries({ '': 1, '@2x': 2 })) {
      writeFileSync(join(folder, `${state}Template${ending}.png`), await png(trayImage(state), TRAY_SIZE * scale));
    }
  }
}

/** Writes the app's icon in all the sizes that macOS shows. */
export async function writeAppIcon(file: string): Promise<void> {
  const images = Object.entries(ICNS_SIZES).map(async ([type, size]) => icnsPart(type, await png(APP_ICON, size)));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, icnsPart('icns', Buffer.concat(await Promise.all(images))));
}

function trayImage(state: TrayState): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
  <path d="M3 22 29 11M9 19.5V29M23 13.6V29" ${stroke('#000', 4)}/>${SIGNS[state]}
</svg>`;
}

function stroke(color: string, width: number): string {
  return `fill="none" stroke="${color}" stroke-width="${width}" stroke-linecap="round"`;
}

function png(svg: string, size: number): Promise<Buffer> {
  // An SVG is drawn at 72 dots per inch and the size of its view box; more dots keep the edges sharp.
  const [, side = '1'] = /viewBox="0 0 (\d+)/.exec(svg) ?? [];
  return sharp(Buffer.from(svg), { density: (72 * size) / Number(side) })
    .resize(size, size)
    .png({ compressionLevel: 9 })
    .toBuffer();
}

/** Every part of an `.icns` file, and the file itself: four letters, the length with this head of eight bytes, the content. */
function icnsPart(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32BE(content.length + head.length, 4);
  return Buffer.concat([head, content]);
}
