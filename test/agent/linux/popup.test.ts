import { expect, test } from 'vitest';
import type { SightReference } from '../../../agent/drivers/input.ts';
import type { Elements } from '../../../agent/drivers/linux/accessibility.ts';
import type { AccessibilityBus } from '../../../agent/drivers/linux/accessibility-bus.ts';
import { insideOf } from '../../../agent/drivers/linux/input/others-at.ts';
import { type SightNeeds, sightOf } from '../../../agent/drivers/linux/input/sight.ts';
import type { ScreenElement } from '../../../src/contract/screen.ts';
import { xWindow } from './x-window.ts';

const popup = { x: 100, y: 100, width: 300, height: 200 };
const ITEM = { x: 100, y: 120, width: 300, height: 25 };

type Told = Partial<ScreenElement> & { id: string };

/** The elements of one app. `inPopup`: what is in the window that it tells at the place of the popup; none if it tells no such window. */
function appWith(told: readonly Told[], inPopup?: readonly string[]) {
  const all = [...told, ...(inPopup === undefined ? [] : [{ id: ':1.1/popup', role: 'window', bounds: popup }])];
  const elements = all.map((one): ScreenElement => ({ ...BLANK, ...one, depth: one.parentId === undefined ? 0 : 1 }));
  const tree = (id: string): unknown => ({
    node: { ...NODE, ref: { bus: ':1.1', path: id.slice(4) } },
    children: elements.filter(({ parentId }) => parentId === id).map((child) => tree(child.id)),
  });
  const found = { elements, trees: elements.filter(({ depth }) => depth === 0).map(({ id }) => tree(id)) };
  const children = (inPopup ?? []).map((id) => [':1.1', id.slice(4)]);
  const bus: Pick<AccessibilityBus, 'ask'> = {
    ask: async (_ref, { member }) => (member === 'GetChildren' ? [children] : null),
  };
  return { elements, found: found as unknown as Elements, bus: bus as AccessibilityBus };
}

async function insideAmong(...told: Parameters<typeof appWith>) {
  const { elements, found, bus } = appWith(...told);
  return elements.filter(await insideOf(bus, { popup, found })).map(({ id }) => id);
}

/** What is seen of an element, or of the middle of an item, while a menu is open there. */
async function sighted(wanted: { elementId: string } | 'point') {
  const { found, bus } = appWith([WINDOW, BEHIND, { ...ENTRY, name: 'Paste' }], [ENTRY.id]);
  const root = { bus: ':1.1', path: '/' };
  const window = xWindow({ id: '0x1', pid: 7 });
  const needs: unknown = {
    x11: {
      desktop: async () => ({ ok: true, value: { windows: [window] } }),
      windowAt: async () => ({ ok: true, value: { window, isItself: false, popup } }),
    },
    bus: { ...bus, apps: async () => [{ root, pid: 7, toolkit: 'gtk' }] },
    readElements: async () => ({ ...found, apps: [{ root, pid: 7, toolkit: 'gtk' }], late: [], degradedReasons: [] }),
    appOf: async () => ({ appName: 'Editor', alsoKnownAs: [], risks: [] }),
    typing: {},
  };
  const reference = wanted === 'point' ? { kind: 'point', point: MIDDLE } : { kind: 'element', ...wanted };
  return sightOf(needs as SightNeeds, reference as SightReference, new AbortController().signal);
}

const NODE = {
  states: {},
  interfaces: new Set(),
  aria: { role: 'generic', kind: 'control' },
  name: '',
  description: '',
};
const BLANK: Omit<ScreenElement, 'id'> = {
  role: 'button',
  name: '',
  bounds: ITEM,
  enabled: true,
  focused: false,
  actions: [],
  windowId: null,
  parentId: null,
  depth: 0,
};
const WINDOW = { id: ':1.1/main', windowId: '0x1', bounds: { x: 0, y: 0, width: 900, height: 700 }, role: 'window' };
const main = { windowId: '0x1', parentId: ':1.1/main' };
const ENTRY = { id: ':1.1/item', role: 'menuitem', parentId: ':1.1/popup' };
/** In the middle of the item. */
const BEHIND = { id: ':1.1/behind', name: 'Plain', ...main, bounds: { x: 240, y: 125, width: 20, height: 10 } };
const MIDDLE = { x: 250, y: 130 };

test('N40: what an app tells in the window of its menu is inside of it, and nothing else', async () => {
  const told = [WINDOW, { ...ENTRY, id: ':1.1/behind', ...main }, ENTRY];
  expect(await insideAmong(told, [ENTRY.id])).toEqual([ENTRY.id, ':1.1/popup']);
});

test('N40: an element behind an open menu is covered, and an item of the menu is not', async () => {
  expect(await sighted({ elementId: BEHIND.id })).toMatchObject({ data: { isCovered: true } });
  expect(await sighted({ elementId: ENTRY.id })).toMatchObject({ data: { isCovered: false } });
});

test('N40: a point of an open menu is of its item, also where a smaller element lies behind', async () => {
  expect(await sighted('point')).toMatchObject({ data: { element: { name: 'Paste' } } });
});

test('N40: of a menu that is told in the window it was opened from, the entries are inside', async () => {
  const told = [
    WINDOW,
    { id: ':1.1/behind', ...main },
    { id: ':1.1/small', role: 'menuitem', ...main, bounds: { ...ITEM, width: 40 } },
    { id: ':1.1/item', role: 'menuitem', ...main },
    { id: ':1.1/word', ...main, parentId: ':1.1/item', bounds: { ...ITEM, x: 140, width: 40 } },
  ];
  expect(await insideAmong(told)).toEqual([':1.1/item', ':1.1/word']);
});

test('N40: what a page calls an entry is none, but where the browser tells an empty window of a list', async () => {
  const page = { id: ':1.1/page', role: 'document', ...main, bounds: WINDOW.bounds };
  const told = [WINDOW, page, { id: ':1.1/forged', role: 'option', windowId: '0x1', parentId: ':1.1/page' }];
  expect(await insideAmong(told)).toEqual([]);
  expect(await insideAmong(told, [])).toEqual([':1.1/forged']);
});
