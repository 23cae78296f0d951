import { expect, test } from 'vitest';
import { elementsWithinFrame } from '../../agent/drivers/elements-within-frame.ts';
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

test('of more than one frame holds the first are told, counted in bytes, and that is said', () => {
  const elements = Array.from({ length: 100 }, (_, index) => element(index, '€'.repeat(10_000)));
  const fitting = elementsWithinFrame(elements);
  expect(fitting.elements).toEqual(elements.slice(0, 46));
  expect(fitting.degradedReasons.map(({ code }) => code)).toEqual(['elements_cut']);
});
