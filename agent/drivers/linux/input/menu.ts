import { folded } from '../../../../src/contract/near-names.ts';
import type { Refusal } from '../../hands/acting.ts';
import { noItem } from '../../hands/element-actions.ts';
import { type AccessibleNode, type AccessibleRef, refsOf } from '../accessible-node.ts';
import { type AccessibleTree, collectTrees } from '../accessible-tree.ts';
import { readNode, timeLeftOf } from '../read-node.ts';
import { withoutDisplay } from '../without-display.ts';
import type { SightNeeds } from './sight.ts';

const BUDGET_MS = 2_000;
const MOST_NODES = 3_000;
const MOST_ITEMS = 200;
/** Between a menu and its items some toolkits have objects without a name. */
const MOST_WRAPPERS = 2;

/** The item of a window's menu bar at a path of names. An item that is closed or in a menu never opened is found, too. */
export async function menuItem(
  { x11, bus }: SightNeeds,
  { windowId, path }: { windowId: string; path: readonly string[] },
): Promise<AccessibleNode | Refusal> {
  const desktop = await x11.desktop();
  if (!desktop.ok) return withoutDisplay(desktop.reason);
  const window = desktop.value.windows.find(({ id }) => id === windowId);
  if (window === undefined) return { code: 'target_gone', message: 'Expected the id of a window; it is gone.' };
  const timeLeftMs = timeLeftOf(BUDGET_MS);
  const apps = ((await bus.apps(timeLeftMs())) ?? []).filter(({ pid }) => pid !== null && pid === window.pid);
  const found = await Promise.all(
    apps.map((app) => collectTrees(bus, { app, contents: false, maxNodes: MOST_NODES, timeLeftMs })),
  );
  const toplevels = found.flatMap(({ toplevels: all }) => all);
  const own = toplevels.filter(({ node }) => folded(node.name) === folded(window.title));
  const bar = (own.length > 0 ? own : toplevels).map(menuBarIn).find((node) => node !== undefined);
  if (bar === undefined)
    return { code: 'not_supported', message: 'Expected a window with a menu bar; this one has none.' };

  async function itemsOf(node: AccessibleNode, wrappers: number): Promise<AccessibleNode[]> {
    const question = { interface: 'org.a11y.atspi.Accessible', member: 'GetChildren' };
    const refs = refsOf((await bus.ask(node.ref, question, timeLeftMs()))?.[0]).slice(0, MOST_ITEMS);
    const nodes = await Promise.all(refs.map((ref: AccessibleRef) => readNode(bus, ref, timeLeftMs)));
    const items = nodes.filter((item) => item !== null);
    if (wrappers === 0) return items;
    const inside = items.filter(({ name }) => name === '').map((item) => itemsOf(item, wrappers - 1));
    return [...items, ...(await Promise.all(inside)).flat()];
  }

  let at = bar;
  for (const [depth, name] of path.entries()) {
    const items = (await itemsOf(at, MOST_WRAPPERS)).filter((item) => item.name !== '');
    const item = items.find((one) => plain(one.name) === plain(name));
    if (item === undefined) {
      const names = items.map((one) => one.name);
      return noItem(path.slice(0, depth + 1), names);
    }
    if (!item.states.enabled)
      return { code: 'invalid_target', message: `Expected an item that is enabled; ${JSON.stringify(name)} is not.` };
    at = item;
  }
  return at;
}

function menuBarIn({ node, children }: AccessibleTree): AccessibleNode | undefined {
  return node.aria.role === 'menubar' ? node : children.map(menuBarIn).find((found) => found !== undefined);
}

/** "Save As…", "Save _As..." and "save as" are one item. */
function plain(name: string): string {
  return folded(name)
    .replace(/_/gu, '')
    .replace(/\s*(?:…|\.{3})$/u, '');
}
