import type { Bounds } from '../../src/contract/device.ts';
import type { Missing, ScreenDescription, ScreenElement, ScreenWindow } from '../../src/contract/screen.ts';
import { MISSING_WORDS } from '../drivers/looks/missing.ts';

/** The number of the reference to an element. */
type RefOf = (elementId: string) => number;

/** How lines are written. `withBounds`: each ends with where its window or element is. */
export type Manner = { refOf: RefOf; withBounds: boolean };

/** One line of the text, with how deep it is. */
export type Line = { depth: number; text: string };

/** Apps, windows and the focus, one line each. */
export function overviewLines(screen: ScreenDescription, { withBounds }: Pick<Manner, 'withBounds'>): Line[] {
  const focused = screen.elements.find(({ id }) => id === screen.focusedElement);
  const focus = focused === undefined ? [] : [{ depth: 0, text: `focus: ${focused.role} ${quoted(focused.name)}` }];
  const withoutWindow = screen.apps.filter(({ name }) => !screen.windows.some(({ app }) => app === name));
  const others =
    withoutWindow.length === 0
      ? []
      : [{ depth: 0, text: `apps without a window: ${withoutWindow.map(({ name }) => oneLine(name)).join(', ')}` }];
  return [...screen.windows.map((window) => ({ depth: 0, text: windowText(window, withBounds) })), ...others, ...focus];
}

/** A node of the screen as its text has it. */
export type OutlineNode = { element: ScreenElement; canAct: boolean; children: OutlineNode[] };

/** Roles that a requester acts on even where the toolkit names no action. */
const ACTING = new Set(['textbox', 'searchbox', 'combobox', 'slider', 'spinbutton', 'tab', 'option', 'treeitem']);
/** An action that Chromium gives to nearly everything, and that does nothing to most. */
const NO_ACTION = 'dodefault';

/**
 * The elements of a window as a tree without those that say nothing: unnamed containers are replaced by their children, and a text that
 * only repeats the name of the element around it or beside it is left out. No name and no control is lost.
 */
export function outlineOf({ elements }: Pick<ScreenDescription, 'elements'>, windowId: string | null): OutlineNode[] {
  const ofWindow = elements.filter((element) => element.windowId === windowId);
  const known = new Set(ofWindow.map(({ id }) => id));
  const byParent = Map.groupBy(ofWindow, ({ parentId }) =>
    parentId !== null && known.has(parentId) ? parentId : null,
  );
  const below = (id: string | null, around: string): OutlineNode[] =>
    withoutRepeats(
      (byParent.get(id) ?? []).flatMap((element) => {
        const children = below(element.id, element.name || around);
        const node = { element, canAct: canAct(element), children };
        return isSilent(node) || isRepeatedInside(node) ? children : [node];
      }),
      around,
    );
  return below(null, '');
}

/** Every node of an outline, parents first. */
export function allNodes(nodes: readonly OutlineNode[]): OutlineNode[] {
  return nodes.flatMap((node) => [node, ...allNodes(node.children)]);
}

function canAct({ enabled, role, actions }: ScreenElement): boolean {
  return enabled && (ACTING.has(role) || actions.some((action) => action !== NO_ACTION));
}

/** A row groups its cells, also without a name. */
function isSilent({ element, canAct: acts, children }: OutlineNode): boolean {
  if (element.role === 'window') return element.missing === undefined;
  if (element.role === 'row' && children.length > 0) return false;
  if (element.beyond !== undefined || element.missing !== undefined) return false;
  return element.name === '' && !element.value && !element.focused && !acts;
}

/** A cell around a link of the same name says nothing more. */
function isRepeatedInside({ element, canAct: acts, children }: OutlineNode): boolean {
  const isPlain = !acts && element.enabled && !element.focused && !element.value && !element.missing;
  return isPlain && element.name !== '' && children.some((child) => child.element.name === element.name);
}

/** A text without controls of its own is a repetition where the name around it, or one of a sibling, is the same. */
function withoutRepeats(nodes: OutlineNode[], around: string): OutlineNode[] {
  const spoken = new Set([around, ...nodes.filter(({ canAct: acts }) => acts).map(({ element }) => element.name)]);
  return nodes.flatMap((node) => {
    const { element, canAct: acts, children } = node;
    const isPlain = element.enabled && !element.focused && !element.value && !element.missing;
    const isText = element.name !== '' && !acts && isPlain;
    return isText && spoken.has(element.name) ? children : [node];
  });
}

/** Each window with its contents, one line for each node. The cells of a row share a line. */
export function wholeLines(screen: ScreenDescription, manner: Manner): Line[] {
  const inWindows = screen.windows.flatMap((window) => windowLines(screen, window, manner));
  const loose = linesOf(outlineOf(screen, null), { depth: 0, manner });
  const known = new Set(screen.windows.map(({ id }) => id));
  const texts = screen.text.filter(({ windowId }) => windowId === undefined || !known.has(windowId));
  return [...inWindows, ...loose, ...textLines(texts, 0)];
}

function textLines(texts: ScreenDescription['text'], depth: number): Line[] {
  return texts.map(({ text }) => ({ depth, text: `text ${quoted(text)}` }));
}

/** One window with its contents, and the texts that were read from its pixels. */
export function windowLines(screen: ScreenDescription, window: ScreenWindow, manner: Manner): Line[] {
  const inside = linesOf(outlineOf(screen, window.id), { depth: 1, manner });
  const texts = screen.text.filter(({ windowId }) => windowId === window.id);
  return [{ depth: 0, text: windowText(window, manner.withBounds) }, ...inside, ...textLines(texts, 1)];
}

export function linesOf(nodes: readonly OutlineNode[], { depth, manner }: { depth: number; manner: Manner }): Line[] {
  return inLines(nodes).flatMap(([node, ...others]): Line[] => {
    if (others.length > 0) return [{ depth, text: `row ${cellsText([node, ...others], manner)}` }];
    if (node.element.role === 'row') return [{ depth, text: rowText(node, manner) }];
    return [{ depth, text: nodeText(node, manner) }, ...childLines(node, depth, manner)];
  });
}

type OfOneLine = [OutlineNode, ...OutlineNode[]];

/** Cells that stand side by side are one line: GTK tells a table without its rows. */
function inLines(nodes: readonly OutlineNode[]): OfOneLine[] {
  const lines: OfOneLine[] = [];
  for (const node of nodes) {
    const line = lines.at(-1);
    if (line !== undefined && isBeside(line[0], node)) line.push(node);
    else lines.push([node]);
  }
  return lines;
}

function isBeside({ element: one }: OutlineNode, { element: other }: OutlineNode): boolean {
  return one.role === 'cell' && other.role === 'cell' && one.bounds !== null && one.bounds.y === other.bounds?.y;
}

/** The contents of a node, with a mark where a list goes on. */
function childLines({ element, children }: OutlineNode, depth: number, manner: Manner): Line[] {
  const { above = 0, below = 0 } = element.beyond ?? {};
  const mark = (count: number, where: string): Line[] =>
    count === 0 ? [] : [{ depth: depth + 1, text: `[${count} more ${where}]` }];
  if (children.length === 0) return mark(above + below, 'not showing');
  return [...mark(above, 'above'), ...linesOf(children, { depth: depth + 1, manner }), ...mark(below, 'below')];
}

/** Lines as one text, each indented by its depth. */
export function indented(lines: readonly Line[]): string {
  return lines.map(({ depth, text }) => `${' '.repeat(depth)}${text}`).join('\n');
}

function windowText({ id, app, title, focused, onScreen, bounds, missing }: ScreenWindow, withBounds: boolean): string {
  const marks = `${focused ? ' focused' : ''}${onScreen ? '' : ' not on screen'}${missingText(missing)}`;
  return `window ${quoted(title)} of ${oneLine(app)} id=${id}${marks}${withBounds ? ` ${placeText(bounds)}` : ''}`;
}

function nodeText({ element, canAct }: OutlineNode, { refOf, withBounds }: Manner): string {
  const { role, name, value, enabled, focused, id, bounds, missing } = element;
  return [
    role,
    ...(name === '' ? [] : [quoted(name)]),
    ...(value ? [`=${quoted(value)}`] : []),
    ...(canAct ? [`@${refOf(id)}`] : []),
    ...(enabled ? [] : ['off']),
    ...(focused ? ['focused'] : []),
    ...(missing === undefined ? [] : [missingText(missing).trim()]),
    ...(withBounds ? [placeText(bounds)] : []),
  ].join(' ');
}

/** Why something in it is not told. */
function missingText(missing: Missing | undefined): string {
  return missing === undefined ? '' : ` [${MISSING_WORDS[missing]}]`;
}

/** A cell is its name; a control in it keeps its reference. */
function rowText({ element, children }: OutlineNode, manner: Manner): string {
  const place = manner.withBounds ? [placeText(element.bounds)] : [];
  const name = element.name === '' ? [] : [quoted(element.name)];
  const cells = `${cellsText(children, manner)}${missingText(element.missing)}`;
  return ['row', ...name, cells, ...place].join(' ');
}

function cellsText(cells: readonly OutlineNode[], manner: Manner): string {
  return cells
    .map((cell) => [cell, ...flat(cell.children)].map((node) => cellText(node, manner)).join(' '))
    .join(' | ');
}

function cellText(node: OutlineNode, manner: Manner): string {
  const { element, canAct } = node;
  const isPlain = !canAct && element.enabled && !element.focused && !element.value && !element.missing;
  return isPlain ? oneLine(element.name) : nodeText(node, manner);
}

function flat(nodes: readonly OutlineNode[]): OutlineNode[] {
  return nodes.flatMap((node) => [node, ...flat(node.children)]);
}

/** In the units of the displays' bounds. Not every toolkit tells where an element is. */
function placeText(bounds: Bounds | null): string {
  if (bounds === null) return 'at an unknown place';
  const { x, y, width, height } = bounds;
  return `at ${[x, y].map(Math.round).join()} ${[width, height].map(Math.round).join('×')}`;
}

function quoted(text: string): string {
  return JSON.stringify(oneLine(text));
}

/** A longer name is cut, and says so: a page can give its controls names of any length. */
const MOST_OF_A_NAME = 1_000;

export function isTooLong(text: string): boolean {
  return text.length > MOST_OF_A_NAME;
}

/** A name with a line break must not look like two nodes. */
function oneLine(text: string): string {
  const line = text.slice(0, MOST_OF_A_NAME).toWellFormed().replaceAll(/\s+/g, ' ').trim();
  const rest = text.length - MOST_OF_A_NAME;
  return rest > 0 ? `${line}… (${rest} more characters)` : line;
}
