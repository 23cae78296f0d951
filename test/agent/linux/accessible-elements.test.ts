import { describe, expect, test } from 'vitest';
import type { AccessibleDetails } from '../../../agent/drivers/linux/accessible-details.ts';
import { type AccessibleWindow, withElements } from '../../../agent/drivers/linux/accessible-elements.ts';
import type { AccessibleNode } from '../../../agent/drivers/linux/accessible-node.ts';
import type { AccessibleTree } from '../../../agent/drivers/linux/accessible-tree.ts';
import { PASSWORD_ROLE } from '../../../agent/drivers/linux/aria-roles.ts';
import type { ScreenElement } from '../../../src/contract/screen.ts';
import { shownNode } from './accessible-fakes.ts';
import { xWindow } from './x-window.ts';

const FRAME = 23;
const FILLER = 20;
const BUTTON = 43;
const LABEL = 29;
const ENTRY = 79;
const COMBO_BOX = 11;
const CHECK_BOX = 7;
const TOOL_BAR = 63;
const PAGE_TAB = 37;
const SLIDER = 51;
const TABLE = 55;
const CELL = 56;
const HEADER = 57;
const DOCUMENT = 95;

describe('the elements of a window', () => {
  test('leave containers out, give their children to the nearest listed element, and keep the order', () => {
    const window = screen([
      part(FILLER, '', [part(TOOL_BAR, 'Main', [part(FILLER, '', [part(BUTTON, 'Save'), part(BUTTON, 'Open')])])]),
    ]);
    expect(told(window)).toEqual([
      { role: 'window', name: 'Notes', parent: null, depth: 0 },
      { role: 'toolbar', name: '', parent: 'window Notes', depth: 1 },
      { role: 'button', name: 'Save', parent: 'toolbar ', depth: 2 },
      { role: 'button', name: 'Open', parent: 'toolbar ', depth: 2 },
    ]);
  });

  test('leave out elements without a place, elements outside the window, and empty containers', () => {
    const window = screen([
      part(BUTTON, 'Folded', [], { extents: null }),
      part(BUTTON, 'Scrolled away', [], { extents: { x: 0, y: 5_000, width: 10, height: 10 } }),
      part(TOOL_BAR, 'Empty'),
      part(BUTTON, 'Here'),
    ]);
    expect(told(window).map(({ name }) => name)).toEqual(['Notes', 'Here']);
  });

  test('list their place, their actions and their state', () => {
    const save = part(BUTTON, 'Save', [], { actions: ['click'] });
    save.tree.node.states = { ...save.tree.node.states, focused: true, enabled: false };
    expect(elementsOf(screen([save]))[1]).toEqual({
      id: ':1.7/2',
      role: 'button',
      name: 'Save',
      bounds: { x: 10, y: 10, width: 20, height: 20 },
      enabled: false,
      focused: true,
      actions: ['click'],
      windowId: '0x00000001',
      parentId: ':1.7/1',
      depth: 1,
    });
  });

  test('are named by the label in front of them or by their help text when they have no name', () => {
    const window = screen([
      part(ENTRY, '', [], { labelledBy: 'Search for' }),
      { ...part(BUTTON, ''), description: 'Go back' },
    ]);
    expect(told(window).map(({ name }) => name)).toEqual(['Notes', 'Search for', 'Go back']);
  });
});

describe('with contents', () => {
  const parts = () => [
    part(ENTRY, 'Name', [], { text: { value: 'Ada', isCut: false } }),
    part(PASSWORD_ROLE, 'Code', [], { text: { value: 'hunter2', isCut: false } }),
    part(CHECK_BOX, 'Wrap', [], {}, { checked: true }),
    part(PAGE_TAB, 'View', [], {}, { selected: true }),
    part(SLIDER, 'Size', [], { number: '12.5' }),
    part(COMBO_BOX, 'Solarized'),
  ];

  test('values are listed, but never the value of a password field', () => {
    expect(elementsOf(screen(parts(), { contents: true })).map(({ name, value }) => ({ name, value }))).toEqual([
      { name: 'Notes', value: undefined },
      { name: 'Name', value: 'Ada' },
      { name: 'Code', value: undefined },
      { name: 'Wrap', value: 'on' },
      { name: 'View', value: 'selected' },
      { name: 'Size', value: '12.5' },
      { name: '', value: 'Solarized' },
    ]);
  });

  test('without contents no value is listed, nor a choice in place of a name', () => {
    const elements = elementsOf(screen(parts()));
    expect(elements.filter((element) => 'value' in element)).toEqual([]);
    expect(JSON.stringify(elements)).not.toMatch(/Ada|hunter2|Solarized/);
  });

  test('the label that a browser gives a choice is listed', () => {
    const elements = elementsOf(screen([part(COMBO_BOX, 'Country')], { toolkit: 'Chromium' }));
    expect(elements[1]).toMatchObject({ role: 'combobox', name: 'Country' });
  });

  test('a text is listed once: not again inside the button that it names', () => {
    const window = screen([part(BUTTON, 'Save as', [part(FILLER, '', [part(LABEL, 'Save')])]), part(LABEL, 'Saved')], {
      contents: true,
    });
    expect(told(window).map(({ role, name }) => `${role} ${name}`)).toEqual([
      'window Notes',
      'button Save as',
      'paragraph Saved',
    ]);
  });
});

describe('a list', () => {
  const at = (y: number) => ({ extents: { x: 10, y, width: 50, height: 20 } });
  const away = { extents: null };
  const list = (entries: Part[], others = { before: 0, after: 0, perRow: 1 }) => {
    const table = part(TABLE, '', entries);
    table.tree.others = others;
    return elementsOf(screen([table], { contents: true })).find(({ role }) => role === 'table');
  };

  test('counts entries without a place, and those that were not read, on their side', () => {
    const entries = [part(CELL, 'a', [], away), part(CELL, 'b', [], at(10)), part(CELL, 'c', [], at(9_000))];
    expect(list(entries, { before: 5, after: 7, perRow: 1 })?.beyond).toEqual({ above: 6, below: 8 });
  });

  test('counts in rows where several entries make one, and headers are none', () => {
    const header = [part(HEADER, 'From', [], at(0)), part(HEADER, 'Subject', [], at(0))];
    const cells = [part(CELL, 'a', [], away), part(CELL, 'b', [], away), part(CELL, 'c', [], at(30))];
    const hidden = [part(CELL, 'd', [], away), part(CELL, 'e', [], away), part(CELL, 'f', [], away)];
    expect(list([...header, ...cells, ...hidden], { before: 4, after: 6, perRow: 2 })?.beyond).toEqual({
      above: 3,
      below: 4,
    });
  });

  test('counts all as below where none is in view, and is told though it has nothing in it', () => {
    expect(list([part(CELL, 'a', [], away)], { before: 5, after: 7, perRow: 1 })?.beyond).toEqual({
      above: 0,
      below: 13,
    });
  });

  test('that is in view as a whole counts nothing', () => {
    expect(list([part(CELL, 'a', [], at(10))])).not.toHaveProperty('beyond');
  });
});

describe('GTK 4', () => {
  test('gives places relative to the window, and they become places on the screen', () => {
    const window = screen([part(BUTTON, '7 7', [], { extents: { x: 16, y: 288, width: 55, height: 40 } })], {
      toolkit: 'GTK',
      window: xWindow({ bounds: { x: 899, y: 164, width: 365, height: 496 } }),
      extents: { x: 0, y: 0, width: 355, height: 486 },
    });
    expect(elementsOf(window).map(({ name, bounds }) => ({ name, bounds }))).toEqual([
      { name: 'Notes', bounds: { x: 904, y: 169, width: 355, height: 486 } },
      { name: '7', bounds: { x: 920, y: 457, width: 55, height: 40 } },
    ]);
  });

  test('gives elements without a name a class name, which is not shown as a label', () => {
    const elements = elementsOf(screen([part(BUTTON, 'GtkMenuButton'), part(BUTTON, 'Gtk')], { toolkit: 'GTK' }));
    expect(elements.map(({ name }) => name)).toEqual(['Notes', '', 'Gtk']);
  });
});

/** The window that a window manager drew a frame of 1, 1, 20 and 5 pixels around. */
const FRAMED = xWindow({
  bounds: { x: 319, y: 107, width: 1282, height: 985 },
  clientBounds: { x: 320, y: 127, width: 1280, height: 960 },
});
const NAMED = ({ name, bounds }: ScreenElement) => ({ name, bounds });

describe('an app whose pixels are larger than those of the desktop', () => {
  test('has its elements where they are drawn, in its window and in its menus', () => {
    const extents = { x: 159, y: 53, width: 642, height: 493 };
    const bar = part(BUTTON, 'File', [], { extents: { x: 160, y: 63, width: 40, height: 25 } });
    const outside = part(BUTTON, 'Far', [], { extents: { x: 801, y: 63, width: 40, height: 25 } });
    const menu = part(BUTTON, 'Open', [], { extents: { x: 161, y: 88, width: 150, height: 27 } });
    const windows = [screen([menu], { window: null }), screen([bar, outside], { window: FRAMED, extents })];
    const elements = withElements(windows).flatMap((one) => one.elements.slice(1));
    expect(elements.map(NAMED)).toEqual([
      { name: 'Open', bounds: { x: 322, y: 176, width: 300, height: 54 } },
      { name: 'File', bounds: { x: 320, y: 126, width: 80, height: 50 } },
    ]);
  });

  test('of GTK 4 has its elements in the middle of its window', () => {
    const window = screen([part(BUTTON, '7', [], { extents: { x: 16, y: 300, width: 55, height: 40 } })], {
      toolkit: 'GTK',
      window: xWindow({ bounds: { x: 595, y: 129, width: 730, height: 1016 } }),
      extents: { x: 0, y: 0, width: 355, height: 498 },
    });
    expect(elementsOf(window).map(NAMED)).toEqual([
      { name: 'Notes', bounds: { x: 605, y: 139, width: 710, height: 996 } },
      { name: '7', bounds: { x: 637, y: 739, width: 110, height: 80 } },
    ]);
  });

  test('of Chromium tells its pages in pixels of the desktop already', () => {
    const page = part(DOCUMENT, '', [
      part(BUTTON, 'Send', [], { extents: { x: 128, y: 474, width: 400, height: 200 } }),
    ]);
    page.details.extents = { x: 28, y: 374, width: 1864, height: 798 };
    const back = part(BUTTON, 'Back', [], { extents: { x: 20, y: 56, width: 34, height: 34 } });
    const window = screen([back, page], {
      toolkit: 'Chromium',
      contents: true,
      window: xWindow({
        bounds: { x: 28, y: 20, width: 1864, height: 1152 },
        clientBounds: { x: 20, y: 20, width: 1880, height: 1160 },
      }),
      extents: { x: 10, y: 10, width: 940, height: 580 },
    });
    expect(elementsOf(window).slice(1).map(NAMED)).toEqual([
      { name: 'Back', bounds: { x: 40, y: 112, width: 68, height: 68 } },
      { name: '', bounds: { x: 28, y: 374, width: 1864, height: 798 } },
      { name: 'Send', bounds: { x: 128, y: 474, width: 400, height: 200 } },
    ]);
  });

  test('by one and a half has its elements where they are drawn', () => {
    const window = screen([part(BUTTON, 'Back', [], { extents: { x: 20, y: 56, width: 34, height: 34 } })], {
      toolkit: 'Qt',
      window: xWindow({ bounds: { x: 15, y: 15, width: 1575, height: 1170 } }),
      extents: { x: 10, y: 10, width: 1050, height: 780 },
    });
    expect(elementsOf(window).at(-1)?.bounds).toEqual({ x: 30, y: 84, width: 51, height: 51 });
  });
});

test('a window that is being made larger does not scale what is in it', () => {
  const window = screen([part(BUTTON, 'Back')], {
    window: xWindow({ bounds: { x: 0, y: 0, width: 640, height: 900 } }),
    extents: { x: 0, y: 0, width: 320, height: 480 },
  });
  expect(elementsOf(window).at(-1)?.bounds).toEqual({ x: 10, y: 10, width: 20, height: 20 });
});

type Part = { tree: AccessibleTree; details: AccessibleDetails; parts: Part[]; description?: string };

const NOWHERE: AccessibleDetails = { extents: null, actions: [], labelledBy: '', text: null, number: null };

function part(
  atspiRole: number,
  name: string,
  parts: Part[] = [],
  ...[details = {}, states = {}]: [Partial<AccessibleDetails>?, Partial<AccessibleNode['states']>?]
): Part {
  const shown = shownNode(atspiRole, { childCount: parts.length, name });
  const node = { ...shown, states: { ...shown.states, ...states } };
  const here = { extents: { x: 10, y: 10, width: 20, height: 20 } };
  return {
    tree: { node, children: parts.map(({ tree }) => tree) },
    details: { ...NOWHERE, ...here, ...details },
    parts,
  };
}

type Options = Partial<Pick<AccessibleWindow, 'contents' | 'toolkit' | 'window'>> &
  Pick<Partial<AccessibleDetails>, 'extents'>;

function screen(parts: Part[], { extents, ...options }: Options = {}): AccessibleWindow {
  const top = part(FRAME, 'Notes', parts, { extents: extents ?? { x: 0, y: 0, width: 640, height: 480 } });
  const details = new Map<AccessibleNode, AccessibleDetails>();
  const visit = (one: Part) => {
    one.tree.node.ref.path = `/org/a11y/atspi/accessible/${details.size + 1}`;
    one.tree.node.description = one.description ?? '';
    details.set(one.tree.node, one.details);
    one.parts.forEach(visit);
  };
  visit(top);
  return { tree: top.tree, details, window: xWindow(), toolkit: 'gtk', contents: false, ...options };
}

function elementsOf(window: AccessibleWindow) {
  return withElements([window]).flatMap(({ elements }) => elements);
}

function told(window: AccessibleWindow) {
  const elements = elementsOf(window);
  const names = new Map(elements.map(({ id, role, name }) => [id, `${role} ${name}`]));
  return elements.map(({ role, name, parentId, depth }) => ({
    role,
    name,
    parent: parentId === null ? null : names.get(parentId),
    depth,
  }));
}
