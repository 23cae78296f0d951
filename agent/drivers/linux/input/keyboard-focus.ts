import type { AccessibleNode } from '../accessible-node.ts';
import { readPart } from '../accessible-part.ts';
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
  const windows = desktop.ok ? desktop.value.windows : [];
  const front = windows.find(({ focused }) => focused);
  if (front === undefined || front.pid === null) return undefined;
  const own = (apps ?? []).filter(({ pid }) => pid === front.pid);
  for (const app of own) {
    const toplevels =
      (await readPart(bus, { app, part: { kind: 'focus' }, windows, timeLeftMs })) ??
      (await collectTrees(bus, { app, contents: true, maxNodes: MOST_NODES, timeLeftMs })).toplevels;
    const focused = toplevels.flatMap((tree) => focusedIn(tree, false));
    // A page keeps its focus while the keyboard is in the browser's own controls.
    const beside = focused.filter(({ isBehind }) => !isBehind);
    const nodes = (beside.length > 0 ? beside : focused).map(({ node }) => node);
    // Chromium gives the focus to a part of a field, too, which takes no text itself.
    const node = nodes.findLast(({ states }) => states.editable) ?? nodes.at(-1);
    if (node !== undefined) return { node, toolkit: app.toolkit };
  }
  return undefined;
}

type Focused = { node: AccessibleNode; isBehind: boolean };

/** The innermost stands last. Windows and what is in a page stand behind all others. */
function focusedIn({ node, children }: AccessibleTree, isUnderPage: boolean): Focused[] {
  const isInPage = isUnderPage || node.aria.role === 'document';
  const inside = children.flatMap((child) => focusedIn(child, isInPage));
  return node.states.focused ? [{ node, isBehind: isInPage || node.aria.role === 'window' }, ...inside] : inside;
}
