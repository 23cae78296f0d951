import type { Bounds } from '../../../../src/contract/device.ts';
import type { ScreenElement } from '../../../../src/contract/screen.ts';
import type { Elements } from '../accessibility.ts';
import type { AccessibilityBus } from '../accessibility-bus.ts';
import { type AccessibleRef, refsOf } from '../accessible-node.ts';
import type { AccessibleTree } from '../accessible-tree.ts';
import { wayIn } from '../flattened-tree.ts';
import { refOfElement } from './accessible-object.ts';

const BUDGET_MS = 500;
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
    if (own.length === 0 && chain.some(({ role }) => role === 'document')) return false;
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
