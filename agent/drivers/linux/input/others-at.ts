import { setTimeout as pause } from 'node:timers/promises';
import type { Bounds } from '../../../../src/contract/device.ts';
import type { Point } from '../../../../src/contract/picture-frames.ts';
import type { ScreenElement } from '../../../../src/contract/screen.ts';
import type { Elements } from '../accessibility.ts';
import type { AccessibilityBus, AccessibleApp } from '../accessibility-bus.ts';
import { SCREEN_COORDINATES } from '../accessible-details.ts';
import { type AccessibleNode, type AccessibleRef, refOf, refsOf } from '../accessible-node.ts';
import { type AccessibleTree, wayIn } from '../accessible-tree.ts';
import { readNode, timeLeftOf } from '../read-node.ts';
import { refOfElement } from './accessible-object.ts';
import { addressesAround, isDocument } from './surroundings.ts';

const BUDGET_MS = 500;
/** A page can nest as deep as it likes; the control that a click reaches is near. */
const MOST_STEPS = 20;
const [LEAST_ANSWERS, MOST_ANSWERS] = [2, 3];
const ANSWER_AGAIN_MS = 10;

/** `documents`: the addresses of those that only they are in, the innermost first; '' where they are in none, as a bar of the browser. */
export type Others = { names: string[]; documents: string[] };

type At = {
  app: AccessibleApp | undefined;
  /** An object and everything that it is in, the innermost first. */
  above: readonly AccessibleNode[];
  point: Point;
};

/**
 * The other objects of a page at a point, besides one and its parents: something in front of it, such as a frame or a bar that stays in
 * place while the page scrolls, or a text in it that says something else than its name. Null where the app does not tell all of them.
 */
export async function othersAt(bus: AccessibilityBus, { app, above, point }: At): Promise<Others | null> {
  const page = above.findLast(({ interfaces }) => interfaces.has('Document'));
  if (page === undefined || app === undefined) return { names: [], documents: [] };
  const timeLeftMs = timeLeftOf(BUDGET_MS);
  const there = await objectsAt({ bus, page: page.ref, above, timeLeftMs }, point);
  if (there === null) return null;
  const { nodes, end } = there;
  const said = new Set(nodes.map(({ name }) => name).filter((name) => name !== ''));
  const names = [...said].filter((name) => above[0]?.name.includes(name) !== true);
  const inPage = above.findLastIndex((node) => isDocument(node, app));
  const isOutside = nodes.length > 0 && above.findIndex(({ ref }) => ref.path === end) > inPage;
  const documents = await addressesAround(bus, { app, above: nodes, timeLeftMs }); // guard N41-1
  return { names, documents: isOutside ? [...documents, ''] : documents };
}

type Asking = {
  bus: AccessibilityBus;
  page: AccessibleRef;
  above: readonly AccessibleNode[];
  timeLeftMs(): number;
};

/** Chromium answers by the boxes of its objects, and asks the page what really lies there for its next answer. So the last answer counts. */
async function objectsAt(asking: Asking, { x, y }: Point): Promise<Way | null> {
  const { bus, page, above, timeLeftMs } = asking;
  const body = [Math.round(x), Math.round(y), SCREEN_COORDINATES];
  const question = { interface: 'org.a11y.atspi.Component', member: 'GetAccessibleAtPoint', signature: 'iiu', body };
  for (let answers = 1; ; answers += 1) {
    const answer = await bus.ask(page, question, timeLeftMs());
    const way = answer === null ? null : await wayUp(asking, refOf(answer[0])); // guard N16-3
    if (way === null || answers === MOST_ANSWERS) return way;
    if (answers >= LEAST_ANSWERS && way.end === above[0]?.ref.path) return way;
    await pause(ANSWER_AGAIN_MS);
  }
}

type Way = { nodes: AccessibleNode[]; end: string | undefined };

/** From an object to the first one that is around the control as well, where it ends. */
async function wayUp({ bus, above, timeLeftMs }: Asking, from: AccessibleRef | null): Promise<Way | null> {
  const known = new Set(above.map(({ ref }) => ref.path));
  const nodes: AccessibleNode[] = [];
  let at = from;
  while (at !== null && !known.has(at.path)) {
    const node = nodes.length < MOST_STEPS ? await readNode(bus, at, timeLeftMs) : null;
    if (node === null) return null;
    nodes.push(node);
    at = { bus: at.bus, path: node.parentPath };
  }
  return { nodes, end: at?.path };
}

/** Borders, shadows and the bar of a list, in pixels. */
const EDGE = 32;
/** Of an entry of a menu or a list that is told where it was opened from, and not in a window of its own. */
const ENTRIES: ReadonlySet<string> = new Set(['menuitem', 'menuitemcheckbox', 'menuitemradio', 'option']);

type Told = Pick<Elements, 'elements' | 'trees'>;
type IsInside = (element: ScreenElement) => boolean;

/**
 * Which elements of an app are in a menu or the like of it that is open: those of the window that the app tells at its place. Only where
 * there is no such window, or nothing in it, they are the entries as wide as the menu.
 */
export async function insideOf(
  bus: AccessibilityBus,
  { popup, found }: { popup: Bounds; found: Told },
): Promise<IsInside> {
  const own = found.elements.filter(({ bounds, depth, windowId }) => depth === 0 && windowId === null && isAt(bounds));
  const refs = own.map(({ id }) => refOfElement(id)).filter((ref) => ref !== null);
  const question = { interface: 'org.a11y.atspi.Accessible', member: 'GetChildren' };
  const answers = await Promise.all(refs.map((ref) => bus.ask(ref, question, BUDGET_MS)));
  if (answers.includes(null)) return () => false;
  const children = answers.flatMap((answer) => refsOf(answer?.[0]));
  const paths = new Set([...refs, ...children].map(({ path }) => path));
  if (children.length > 0)
    return ({ id }) => wayTo(found.trees, refOfElement(id)).some(({ ref }) => paths.has(ref.path));
  const byId = new Map(found.elements.map((element) => [element.id, element]));
  return (element) => isEntry(around(element, byId));

  function isAt(bounds: Bounds | null): boolean {
    return bounds !== null && isAsWide(bounds) && isAsLong(bounds);
  }

  function isAsWide({ x, width }: Bounds): boolean {
    return isNear(x, popup.x) && isNear(x + width, popup.x + popup.width);
  }

  function isAsLong({ y, height }: Bounds): boolean {
    return isNear(y, popup.y) && isNear(y + height, popup.y + popup.height);
  }

  /** A page may call anything of it an entry. Chromium tells the window of its own menus with all that is in it, and that of a list of a page empty. */
  function isEntry(chain: readonly ScreenElement[]): boolean {
    if (own.length === 0 && chain.some(({ role }) => role === 'document')) return false; // guard N40-3
    return chain.some(
      ({ role, bounds }, index) =>
        ENTRIES.has(role) && bounds !== null && isAsWide(bounds) && chain[index + 1]?.role !== 'menubar',
    );
  }
}

function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= EDGE;
}

/** An element and everything that it is in, the innermost first. */
function around(element: ScreenElement, byId: ReadonlyMap<string, ScreenElement>): ScreenElement[] {
  const chain: ScreenElement[] = [];
  let at: ScreenElement | undefined = element;
  while (at !== undefined) {
    chain.push(at);
    at = at.parentId === null ? undefined : byId.get(at.parentId);
  }
  return chain;
}

/** An object and everything that it is in, the innermost first; nothing where it is in none of the trees. */
export function wayTo(trees: readonly AccessibleTree[], ref: AccessibleRef | null): AccessibleTree['node'][] {
  if (ref === null) return [];
  return trees.map((tree) => wayIn(tree, ref)).find((way) => way.length > 0) ?? [];
}
