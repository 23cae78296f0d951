import { expect, test } from 'vitest';
import { MOST_MARKS, marksOf, sizeWithin } from '../../src/contract/pictures.ts';
import type { ScreenElement } from '../../src/contract/screen.ts';

const SCREEN = { x: 0, y: 0, width: 1000, height: 800 };
const place = { x: 10, y: 20, width: 30, height: 40 };

function element(id: string, facts: Partial<ScreenElement> = {}): ScreenElement {
  const usual = { role: 'button', name: id, bounds: place, enabled: true, focused: false, actions: [] };
  return { id, ...usual, windowId: '1', parentId: null, depth: 1, ...facts };
}

const NUMBERS: Record<string, number> = { save: 7, name: 3, picture: 12 };
const numberOf = (elementId: string) => NUMBERS[elementId] ?? 1;

const ids = (elements: readonly ScreenElement[]) =>
  marksOf(elements, SCREEN, numberOf).map(({ elementId }) => elementId);

test('elements that can be acted on are marked with their numbers, in the order of the description', () => {
  const elements = [
    element('window', { role: 'window', bounds: SCREEN, actions: ['press'] }),
    element('save'),
    element('name', { role: 'textbox', bounds: { ...place, x: 100 } }),
    element('text', { role: 'paragraph', bounds: { ...place, x: 200 } }),
    element('picture', { role: 'img', actions: ['click'], bounds: { ...place, x: 300 } }),
  ];
  expect(marksOf(elements, SCREEN, numberOf)).toEqual([
    { mark: 7, elementId: 'save', role: 'button', name: 'save', bounds: place },
    { mark: 3, elementId: 'name', role: 'textbox', name: 'name', bounds: { ...place, x: 100 } },
    { mark: 12, elementId: 'picture', role: 'img', name: 'picture', bounds: { ...place, x: 300 } },
  ]);
});

test('elements that are off, have no place, or have their middle outside of the picture get no number', () => {
  const outside = { ...place, x: 990 };
  const elements = [
    element('off', { enabled: false }),
    element('none', { bounds: null }),
    element('out', { bounds: outside }),
  ];
  expect(ids(elements)).toEqual([]);
});

test('of elements in one place only the innermost is numbered', () => {
  expect(ids([element('outer', { role: 'link' }), element('inner')])).toEqual(['inner']);
});

test('there are at most 500 numbers', () => {
  const many = Array.from({ length: 900 }, (_, index) => element(`${index}`, { bounds: { ...place, x: index } }));
  expect(ids(many)).toHaveLength(MOST_MARKS);
});

test.each([
  [{ width: 1920, height: 1080 }, {}, { width: 1920, height: 1080 }],
  [
    { width: 1920, height: 1080 },
    { maxEdge: 4_000, maxPixels: 10_000_000 },
    { width: 1920, height: 1080 },
  ],
  [{ width: 1920, height: 1080 }, { maxEdge: 960 }, { width: 960, height: 540 }],
  [{ width: 1080, height: 1920 }, { maxEdge: 960 }, { width: 540, height: 960 }],
  [{ width: 2000, height: 1000 }, { maxPixels: 500_000 }, { width: 1000, height: 500 }],
  [
    { width: 2000, height: 1000 },
    { maxEdge: 500, maxPixels: 500_000 },
    { width: 500, height: 250 },
  ],
  [{ width: 10_000, height: 1 }, { maxEdge: 100 }, { width: 100, height: 1 }],
])('a picture of %o with the limits %o becomes %o', (size, limit, expected) => {
  expect(sizeWithin(size, limit)).toEqual(expected);
});

test('no size is over its limits or larger than it was', () => {
  for (let width = 1; width < 5_000; width += 97) {
    for (const height of [1, 333, 2_160]) {
      const size = sizeWithin({ width, height }, { maxEdge: 1_568, maxPixels: 1_150_000 });
      expect(size.width <= Math.min(width, 1_568) && size.height <= Math.min(height, 1_568)).toBe(true);
      expect(size.width * size.height).toBeLessThanOrEqual(1_150_000);
    }
  }
});
