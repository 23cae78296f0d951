import type { AccessibilityBus } from '../accessibility-bus.ts';
import type { AccessibleNode, AccessibleRef } from '../accessible-node.ts';
import { readPart } from '../accessible-part.ts';
import { type AccessibleTree, collectTrees } from '../accessible-tree.ts';
import { timeLeftOf } from '../read-node.ts';
import type { X11 } from '../x11.ts';

const BUDGET_MS = 1_000;
const MOST_NODES = 4_000;

export type KeyboardFocus = { node: AccessibleNode; toolkit: string };

/** The result of the latest look at the focus. */
export type LatestFocus = { seen?: { atMs: number; focus: KeyboardFocus | undefined }; way?: FocusWay | undefined };

/** The window in front, all of its objects that had the focus, and the documents around the one that gets the keys. */
export type FocusWay = {
  window: AccessibleRef;
  focused: readonly AccessibleRef[];
  documents: readonly AccessibleRef[];
};

/** The object that has the keyboard in the window in front, if its app reports one. Takes the latest look if it is new enough, else looks. */
export async function focusSince(needs: FocusNeeds, sinceMs: number): Promise<KeyboardFocus | undefined> {
  const { seen } = needs.latestFocus;
  return seen !== undefined && seen.atMs >= sinceMs ? seen.focus : keyboardFocus(needs);
}

type FocusNeeds = { x11: X11; bus: AccessibilityBus; latestFocus: LatestFocus };

/** The quick way, without names of windows and places. */
async function keyboardFocus({ x11, bus }: FocusNeeds): Promise<KeyboardFocus | undefined> {
  const timeLeftMs = timeLeftOf(BUDGET_MS);
  const [desktop, apps] = await Promise.all([x11.desktop(), bus.apps(timeLeftMs())]);
  const windows = desktop.ok ? desktop.value.windows : [];
  const front = windows.find(({ focused }) => focused);
  if (front === undefined || front.pid === null) return undefined;
  const own = (apps ?? []).filter(({ pid }) => pid === front.pid);
  for (const app of own) {
    const toplevels =
      (await readPart(bus, { app, part: { kind: 'focus' }, windows, timeLeftMs })) ??
      (await collectTrees(bus, { app, contents: true, maxNodes: MOST_NODES, timeLeftMs })).toplevels;
    const node = receiverIn(toplevels);
    if (node !== undefined) return { node, toolkit: app.toolkit };
  }
  return undefined;
}

/** An app may report several objects with the focus. This is the one that receives the keys. */
export function receiverIn(toplevels: readonly AccessibleTree[]): AccessibleNode | undefined {
  const focused = toplevels.flatMap((tree) => focusedIn(tree, false));
  // A page keeps its focus while the keyboard is in the browser's own controls.
  const beside = focused.filter(({ isBehind }) => !isBehind);
  const nodes = (beside.length > 0 ? beside : focused).map(({ node }) => node);
  // Chromium gives the focus to a part of a field, too, which takes no text itself.
  return nodes.findLast(({ states }) => states.editable) ?? nodes.at(-1);
}

type Focused = { node: AccessibleNode; isBehind: boolean };

/** The innermost object is last. Windows and objects in a page rank behind all others. */
function focusedIn({ node, children }: AccessibleTree, isUnderPage: boolean): Focused[] {
  const isInPage = isUnderPage || node.aria.role === 'document';
  const inside = children.flatMap((child) => focusedIn(child, isInPage));
  return node.states.focused ? [{ node, isBehind: isInPage || node.aria.role === 'window' }, ...inside] : inside;
}
