import type { AccessibleNode } from '../accessible-node.ts';
import { type AccessibleTree, collectTrees } from '../accessible-tree.ts';
import type { SightNeeds } from './sight.ts';

const BUDGET_MS = 1_000;
const MOST_NODES = 4_000;

/** The object that has the keyboard in the window in front, if its app tells; the quick way, without names of windows and places. */
export async function keyboardFocus({
  x11,
  bus,
}: Pick<SightNeeds, 'x11' | 'bus'>): Promise<{ node: AccessibleNode; toolkit: string } | undefined> {
  const endMs = performance.now() + BUDGET_MS;
  const timeLeftMs = () => Math.max(0, endMs - performance.now());
  const [desktop, apps] = await Promise.all([x11.desktop(), bus.apps(timeLeftMs())]);
  const front = desktop.ok ? desktop.value.windows.find(({ focused }) => focused) : undefined;
  if (front === undefined || front.pid === null) return undefined;
  const own = (apps ?? []).filter(({ pid }) => pid === front.pid);
  for (const app of own) {
    const { toplevels } = await collectTrees(bus, { app, contents: true, maxNodes: MOST_NODES, timeLeftMs });
    const focused = toplevels.flatMap(focusedIn);
    // Chromium gives the focus to a part of a field, too, which takes no text itself.
    const node = focused.findLast(({ states }) => states.editable) ?? focused.at(-1);
    if (node !== undefined) return { node, toolkit: app.toolkit };
  }
  return undefined;
}

/** The innermost stands last. */
function focusedIn({ node, children }: AccessibleTree): AccessibleNode[] {
  return [...(node.states.focused ? [node] : []), ...children.flatMap(focusedIn)];
}
