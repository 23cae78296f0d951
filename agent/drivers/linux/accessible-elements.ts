import { intersects } from '../../../src/contract/bounds.ts';
import type { Bounds } from '../../../src/contract/device.ts';
import { MAX_LABEL, type Missing, type ScreenElement } from '../../../src/contract/screen.ts';
import type { Beyond } from '../looks/list-marks.ts';
import { mark } from '../looks/missing.ts';
import { type AccessibleDetails, hasValue } from './accessible-details.ts';
import type { AccessibleNode, AccessibleRef } from './accessible-node.ts';
import { type AccessibleTree, isGtk4 } from './accessible-tree.ts';
import { BROWSER_ENGINES } from './aria-roles.ts';
import type { XWindow } from './x-window.ts';

/** One window as its app describes it, with the details of each object, and its X window, if one was found. */
export type AccessibleWindow = {
  tree: AccessibleTree;
  details: ReadonlyMap<AccessibleNode, AccessibleDetails>;
  window: XWindow | null;
  toolkit: string;
  contents: boolean;
  /** Whether the tree may lack objects that are shown. */
  isPart?: boolean;
};

/** One window as its app tells its place, `null` where it tells none, beside its X window, if one was found. */
type ToldWindow = { told: Bounds | null; window: XWindow | null; toolkit: string };

/** Pixels of the desktop that the app counts as one. Popups have no X window to be compared with, so it is asked of the app's other windows. */
export function scaleOfApp(windows: readonly ToldWindow[]): number {
  return windows.map(scaleOf).find((scale) => scale !== null) ?? 1;
}

/** How far the sizes of one window may be apart, in pixels of the app: an app rounds the borders of its frame. */
const ROUNDING = 2;

/** `null` where the window as it is told is not one on the screen. */
function scaleOf({ told, window, toolkit }: ToldWindow): number | null {
  if (told === null || window === null) return null;
  // GTK 4 leaves the borders out. Its scale is whole under X11.
  if (isGtk4(toolkit)) return Math.max(1, Math.round(window.bounds.width / told.width));
  const scales = [window.clientBounds, window.bounds].map((surface) => scaleTo(surface, told));
  return scales.find((scale) => scale !== null) ?? null;
}

function scaleTo(surface: Bounds, told: Bounds): number | null {
  const ratio = surface.width / told.width;
  const fits = (scale: number) =>
    Math.abs(surface.width - told.width * scale) <= ROUNDING * scale &&
    Math.abs(surface.height - told.height * scale) <= ROUNDING * scale;
  return [Math.round(ratio), ratio].find((scale) => scale >= 1 && fits(scale)) ?? null;
}

type Place = (extents: Bounds) => Bounds;

/**
 * Where something that a window tells is on the desktop. GTK 4 does not know where its windows are and tells places inside the window's
 * content, which stands in the middle of the X window: around it are borders of equal width, or a shadow that is not part of the window.
 */
export function placement({ told, window, toolkit }: ToldWindow, scale: number): Place {
  if (!isGtk4(toolkit) || window === null || told === null) return (extents) => scaled(extents, scale);
  const own = scaled(told, scale);
  // A frame around the app's own surface is the window manager's, and GTK knows nothing of it.
  const surface = window.bounds.height > window.clientBounds.height ? window.clientBounds : window.bounds;
  const shiftX = surface.x + Math.round((surface.width - own.width) / 2) - own.x;
  const shiftY = surface.y + Math.round((surface.height - own.height) / 2) - own.y;
  return (extents) => {
    const { x, y, width, height } = scaled(extents, scale);
    return { x: x + shiftX, y: y + shiftY, width, height };
  };
}

/** Chromium tells what is in a page in pixels of the desktop, and its own controls in those of its scale. */
export function placementInPage(toolkit: string, outside: Place): Place {
  return toolkit === 'Chromium' ? (extents) => extents : outside;
}

function scaled({ x, y, width, height }: Bounds, scale: number): Bounds {
  return {
    x: Math.round(x * scale),
    y: Math.round(y * scale),
    width: Math.round(width * scale),
    height: Math.round(height * scale),
  };
}

/** An app's windows with their elements. All of them share its scale. */
export function withElements(
  windows: readonly AccessibleWindow[],
): { accessible: AccessibleWindow; elements: ScreenElement[] }[] {
  const scale = scaleOfApp(windows.map(asTold));
  return windows.map((accessible) => ({ accessible, elements: elementsOf(accessible, scale) }));
}

function asTold({ tree, details, window, toolkit }: AccessibleWindow): ToldWindow {
  return { told: details.get(tree.node)?.extents ?? null, window, toolkit };
}

/** The elements of one window, parents before children; elements that a person can neither see nor name are left out. */
function elementsOf(accessible: AccessibleWindow, scale: number): ScreenElement[] {
  const place = placement(asTold(accessible), scale);
  return told(accessible.tree, { accessible, place, parent: null });
}

type Context = { accessible: AccessibleWindow; place: Place; parent: ScreenElement | null };

function told(tree: AccessibleTree, around: Context): ScreenElement[] {
  if (around.parent !== null && repeats(tree.node, around.parent)) return [];
  const isPage = tree.node.aria.role === 'document';
  const context = isPage ? { ...around, place: placementInPage(around.accessible.toolkit, around.place) } : around;
  const element = elementOf(tree, context);
  const beyond = beyondOf(tree, context);
  const missing =
    tree.missing ?? heldBack(tree.node, element, context) ?? (isDrawn(tree, context) ? 'drawn' : undefined);
  const at = element ?? context.parent;
  if (missing !== undefined && at !== null && (element !== null || isAround(tree.node))) mark(at, missing);
  if (element !== null && beyond !== undefined) element.beyond = beyond;
  const held = tree.children.flatMap((child) => told(child, { ...context, parent: element ?? context.parent }));
  if (element === null) return held;
  const mayHold = context.accessible.isPart === true && tree.node.childCount !== 0;
  const isWorthTelling = held.length > 0 || mayHold || says(tree.node, element) || context.parent === null;
  return isWorthTelling ? [element, ...held] : [];
}

/** A canvas of a page, or a sheet of a PDF without a text, that tells nothing of what it shows. */
function isDrawn({ node: { atspiRole }, children }: AccessibleTree, { parent }: Context): boolean {
  if (children.length > 0) return false;
  return atspiRole === CANVAS || (atspiRole === LANDMARK && parent?.role === 'document');
}

/** AtspiRole. */
const [CANVAS, LANDMARK] = [6, 110];

/** Whether an element without anything in it still tells something. */
function says({ aria }: AccessibleNode, { name, value, beyond, missing }: ScreenElement): boolean {
  return (
    aria.kind === 'control' ||
    beyond !== undefined ||
    missing !== undefined ||
    (aria.kind === 'content' && (name !== '' || value !== undefined))
  );
}

/** What is missing in an object that is no element itself is missing in the one around it; one that is out of view lacks nothing. */
function isAround({ aria }: AccessibleNode): boolean {
  return aria.kind === 'transparent';
}

/** Why the own words of an object are not all told. */
function heldBack(node: AccessibleNode, element: ScreenElement | null, { accessible }: Context): Missing | undefined {
  if (element === null) return undefined;
  if (accessible.details.get(node)?.text?.isCut === true) return 'text_cut';
  if (element.name.length > MAX_LABEL && element.value === undefined) return 'text_cut';
  if (accessible.contents || node.isPassword) return undefined;
  return hasValue(node) || currentValue(node, undefined) !== null ? 'contents_left_out' : undefined;
}

/** The entries of a list that are not in view, in rows; as below where none is in view. GTK tells them as showing, without a place. */
function beyondOf({ others, children }: AccessibleTree, context: Context): Beyond | undefined {
  if (others === undefined) return undefined;
  const { before, after, perRow } = others;
  const entries = children.filter(({ node }) => node.aria.role !== 'columnheader');
  const first = entries.findIndex(({ node }) => isInView(node, context));
  const last = entries.findLastIndex(({ node }) => isInView(node, context));
  const [above, below] =
    first < 0 ? [0, before + entries.length + after] : [before + first, after + entries.length - 1 - last];
  const inRows = (count: number) => Math.max(0, Math.floor(count / perRow));
  const beyond = { above: inRows(above), below: inRows(below) };
  return beyond.above + beyond.below > 0 ? beyond : undefined;
}

function isInView(node: AccessibleNode, { accessible, place }: Context): boolean {
  const extents = accessible.details.get(node)?.extents;
  return node.aria.kind === 'transparent' || (extents != null && isSeen(place(extents), accessible.window));
}

const LABELLED_INSIDE = new Set(['button', 'link', 'checkbox', 'radio', 'switch', 'menuitem']);

/** The label inside a button says what the button's own name says already. */
function repeats({ aria, name }: AccessibleNode, parent: ScreenElement): boolean {
  return aria.kind === 'content' && LABELLED_INSIDE.has(parent.role) && parent.name.includes(name);
}

function elementOf(tree: AccessibleTree, { accessible, place, parent }: Context): ScreenElement | null {
  const { node } = tree;
  const { aria, states } = node;
  const details = accessible.details.get(node);
  const isTop = parent === null;
  if (aria.kind === 'transparent' && !isTop) return null;
  const bounds = details?.extents ? place(details.extents) : null;
  if (!isTop && !isThere(tree, bounds, accessible)) return null;
  const { name, value } = labelOf(node, details, accessible);
  return {
    id: elementIdOf(node.ref),
    role: isTop && aria.kind === 'transparent' ? 'window' : aria.role,
    name: isTop || mayName(node, name, accessible) ? name : '',
    ...(value !== null && { value }),
    bounds,
    enabled: states.enabled,
    focused: states.focused,
    actions: details?.actions ?? [],
    windowId: accessible.window?.id ?? null,
    parentId: parent?.id ?? null,
    depth: parent === null ? 0 : parent.depth + 1,
  };
}

/** In view. A page that has not been told yet has no place; a window that is not on the screen shows no page. */
function isThere({ node, missing }: AccessibleTree, bounds: Bounds | null, { window }: AccessibleWindow): boolean {
  if (bounds !== null) return isSeen(bounds, window);
  if (window === null || missing === undefined) return false;
  return missing === 'app_slow' || node.aria.role === 'document';
}

/** Without contents the name of a page is told only where the title of its window has it too. */
function mayName({ aria }: AccessibleNode, name: string, { contents, window }: AccessibleWindow): boolean {
  return contents || aria.kind === 'control' || (aria.kind === 'content' && window?.title.includes(name) === true);
}

/** An object's label and, with contents, its current value. */
function labelOf(
  node: AccessibleNode,
  details: AccessibleDetails | undefined,
  { toolkit, contents }: AccessibleWindow,
): { name: string; value: string | null } {
  const ownName = isGtk4(toolkit) ? withoutClassName(node.name) : node.name;
  // Only browser engines name a combobox by its label; the others name it by the chosen entry, which is a value.
  const isNamedByValue = node.aria.role === 'combobox' && !BROWSER_ENGINES.has(toolkit);
  const label = isNamedByValue ? '' : ownName;
  const name = label || details?.labelledBy || (node.aria.kind === 'control' ? node.description : '');
  const value =
    contents && !node.isPassword ? (currentValue(node, details) ?? (isNamedByValue ? ownName : null)) : null; // guard E-21
  const isRepeated = node.aria.kind === 'content' && value?.trim() === name;
  return { name, value: isRepeated ? null : value };
}

const WITH_STATE = new Set(['checkbox', 'switch', 'radio', 'menuitemcheckbox', 'menuitemradio']);

function currentValue({ aria, states }: AccessibleNode, details: AccessibleDetails | undefined): string | null {
  if (WITH_STATE.has(aria.role)) return states.indeterminate ? 'mixed' : states.checked ? 'on' : 'off';
  if (aria.role === 'tab') return states.selected ? 'selected' : null;
  return details?.number ?? details?.text?.value ?? null;
}

/** GTK 4 names an object without a name by its class, and one with a label inside twice by that label. */
function withoutClassName(name: string): string {
  if (/^(Gtk|Adw)[A-Z][A-Za-z]+$/.test(name)) return '';
  const half = name.slice(0, (name.length - 1) / 2);
  return name.length % 2 === 1 && name === `${half} ${half}` ? half : name;
}

function isSeen(bounds: Bounds, window: XWindow | null): boolean {
  return window === null || intersects(bounds, window.bounds);
}

/** The paths of ATK objects are long and alike; the number at their end is enough to find them again. */
export function elementIdOf({ bus, path }: AccessibleRef): string {
  return `${bus}${path.replace(/^\/org\/a11y\/atspi\/accessible/, '')}`;
}
