import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TRAY_STATES, writeAppIcon, writeTrayImages } from '../../src/packaging/icons.ts';

const folder = mkdtempSync(join(tmpdir(), 'handrail-icons-'));
const [tray, icon] = [join(folder, 'tray'), join(folder, 'icon.icns')];

beforeAll(() => Promise.all([writeTrayImages(tray), writeAppIcon(icon)]));
afterAll(() => rmSync(folder, { recursive: true }));

/** The parts of an `.icns` file: its type, and the width of the picture in it. */
async function partsOf(bytes: Buffer): Promise<[string, number][]> {
  const parts: [string, number][] = [];
  for (let at = 8; at < bytes.length; at += bytes.readUInt32BE(at + 4)) {
    const picture = bytes.subarray(at + 8, at + bytes.readUInt32BE(at + 4));
    const { width, format } = await sharp(picture).metadata();
    parts.push([`${bytes.toString('latin1', at, at + 4)} ${format}`, width]);
  }
  return parts;
}

test('the icon of the app has a picture for each size that macOS shows, and says its own length', async () => {
  const bytes = readFileSync(icon);
  expect([bytes.toString('latin1', 0, 4), bytes.readUInt32BE(4)]).toEqual(['icns', bytes.length]);
  expect(Object.fromEntries(await partsOf(bytes))).toEqual({
    'icp4 png': 16,
    'icp5 png': 32,
    'ic07 png': 128,
    'ic08 png': 256,
    'ic09 png': 512,
    'ic11 png': 32,
    'ic12 png': 64,
    'ic13 png': 256,
    'ic14 png': 512,
    'ic10 png': 1024,
  });
});

test('every state of the tray has a picture of 18 points at both resolutions, and all of them differ', async () => {
  const names = readdirSync(tray).toSorted();
  expect(names).toEqual(TRAY_STATES.flatMap((state) => [`${state}Template.png`, `${state}Template@2x.png`]).toSorted());
  for (const name of names) {
    const { width, height } = await sharp(join(tray, name)).metadata();
    expect([name, width, height]).toEqual([name, ...(name.includes('@2x') ? [36, 36] : [18, 18])]);
  }
  expect(new Set(names.map((name) => readFileSync(join(tray, name), 'base64'))).size).toBe(names.length);
});

test('the pictures of the tray are black on nothing, so that macOS can colour them', async () => {
  const { data, info } = await sharp(join(tray, 'askingTemplate@2x.png')).raw().toBuffer({ resolveWithObject: true });
  const pixels = Array.from({ length: data.length / info.channels }, (_, at) => [
    ...data.subarray(at * info.channels, (at + 1) * info.channels),
  ]);
  const isColoured = ([red, green, blue]: number[]) => red !== 0 || green !== 0 || blue !== 0;
  expect(info.channels).toBe(4);
  expect(pixels.filter((pixel) => pixel[3] === 255 && isColoured(pixel))).toEqual([]);
  expect(pixels.filter((pixel) => pixel[3] === 0).length).toBeGreaterThan(pixels.length / 3);
  expect(pixels.filter((pixel) => pixel[3] === 255).length).toBeGreaterThan(50);
});
