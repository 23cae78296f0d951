import { expect, test } from 'vitest';
import { elementsWithinFrame } from '../../agent/drivers/looks/describe-screen.ts';
import type { ScreenElement } from '../../src/contract/screen.ts';

function element(index: number, value: string): ScreenElement {
  return {
    id: `e${index}`,
    role: 'textbox',
    name: '',
    value,
    bounds: null,
    enabled: true,
    focused: false,
    actions: [],
    windowId: null,
    parentId: null,
    depth: 0,
  };
}

test('elements that fit the frame are all told', () => {
  const elements = [element(1, 'a'), element(2, 'b')];
  expect(elementsWithinFrame(elements)).toEqual({ elements, degradedReasons: [] });
});

test('a list that is cut counts the entries that are lost, and the headers of a table are none', () => {
  const list = { ...element(0, ''), role: 'table', beyond: { above: 3, below: 4 } };
  const header = { ...element(1, '€'.repeat(400_000)), role: 'columnheader', parentId: list.id };
  const entries = [2, 3].map((index) => ({ ...element(index, '€'.repeat(400_000)), parentId: list.id }));
  const inside = { ...element(4, ''), parentId: 'e3' };
  expect(elementsWithinFrame([list, ...entries, inside, header]).elements).toEqual([
    { ...list, beyond: { above: 3, below: 5 } },
    entries[0],
  ]);
});

test('of more than one frame holds the first are told, counted in bytes, and that is said', () => {
  const elements = Array.from({ length: 100 }, (_, index) => element(index, '€'.repeat(10_000)));
  const fitting = elementsWithinFrame(elements);
  expect(fitting.elements).toEqual(elements.slice(0, 46));
  expect(fitting.degradedReasons.map(({ code }) => code)).toEqual(['elements_cut']);
});
