import { expect, test } from 'vitest';
import { createWindowTexts, type Picture, type TextLine } from '../../../agent/drivers/linux/window-texts.ts';
import type { Bounds } from '../../../src/contract/device.ts';
import { xWindow } from './x-window.ts';

const display = {
  id: 'a',
  name: 'A',
  primary: true,
  bounds: { x: 0, y: 0, width: 1000, height: 800 },
  scale: 1,
};
const line: TextLine = { text: 'hello', bounds: { x: 5, y: 6, width: 50, height: 13 }, confidence: 0.9 };
const signal = new AbortController().signal;

/** Remembers what it was asked to capture and read; every picture says `hello`. */
function fakeEyes(lines: TextLine[] | null = [line]) {
  const captured: Bounds[] = [];
  const pictures: Picture[] = [];
  const texts = createWindowTexts({
    capture: async (region) => {
      captured.push(region);
      return new Uint8Array(1);
    },
    reader: {
      read: async (picture) => {
        pictures.push(picture);
        return lines;
      },
      close: async () => undefined,
    },
  });
  return { texts, captured, pictures };
}

test('reads the part of a window that is on a display, and says where on the desktop its lines are', async () => {
  const eyes = fakeEyes();
  const terminal = xWindow({ bounds: { x: -100, y: 700, width: 300, height: 200 } });
  const request = { windows: [terminal], treeless: [terminal], displays: [display], signal };
  expect(await eyes.texts.read(request)).toEqual({
    text: [{ text: 'hello', bounds: { x: 5, y: 706, width: 50, height: 13 }, confidence: 0.9, windowId: terminal.id }],
    unread: [],
    degradedReasons: [],
  });
  expect(eyes.captured).toEqual([{ x: 0, y: 700, width: 200, height: 100 }]);
});

test('hides what windows in front cover, and only that', async () => {
  const eyes = fakeEyes();
  const front = xWindow({ id: 'front', bounds: { x: 150, y: 120, width: 100, height: 100 } });
  const elsewhere = xWindow({ id: 'elsewhere', bounds: { x: 700, y: 0, width: 100, height: 100 } });
  const minimized = xWindow({ id: 'minimized', bounds: { x: 100, y: 100, width: 10, height: 10 }, shown: false });
  const terminal = xWindow({ id: 'terminal', bounds: { x: 100, y: 100, width: 300, height: 200 } });
  const behind = xWindow({ id: 'behind', bounds: { x: 100, y: 100, width: 300, height: 200 } });
  const windows = [front, elsewhere, minimized, terminal, behind];
  await eyes.texts.read({ windows, treeless: [terminal], displays: [display], signal });
  expect(eyes.pictures.map(({ hidden }) => hidden)).toEqual([[{ x: 50, y: 20, width: 100, height: 100 }]]);
});

test('a window that cannot be read is a reason, not a failure', async () => {
  const eyes = fakeEyes(null);
  const terminal = xWindow({ title: 'sh' });
  const request = { windows: [terminal], treeless: [terminal], displays: [display], signal };
  expect(await eyes.texts.read(request)).toMatchObject({ text: [], degradedReasons: [{ code: 'text_unread' }] });
});

test('a part of a window that is less than 16 pixels wide or high is not read', async () => {
  const read = async (width: number, height: number) => {
    const eyes = fakeEyes();
    const sliver = xWindow({ bounds: { x: 0, y: 0, width, height } });
    await eyes.texts.read({ windows: [sliver], treeless: [sliver], displays: [display], signal });
    return eyes.captured.length;
  };
  expect([await read(16, 16), await read(15, 16), await read(16, 15)]).toEqual([1, 0, 0]);
});
