import type { AccessibilityBus, AccessibleApp } from '../accessibility-bus.ts';
import { matchesIn, STATES } from '../accessible-details.ts';
import type { AccessibleNode, AccessibleRef } from '../accessible-node.ts';
import { readPart } from '../accessible-part.ts';
import { type AccessibleTree, collectTrees, flattened, wayIn } from '../accessible-tree.ts';
import { timeLeftOf } from '../read-node.ts';
import type { X11 } from '../x11.ts';
import { addressesOf, documentsAmong } from './surroundings.ts';

const BUDGET_MS = 1_000;
const MOST_NODES = 4_000;

type KeyboardFocus = { node: AccessibleNode; toolkit: string };

/** The result of the latest look at the focus. */
export type LatestFocus = { seen?: { atMs: number; focus: KeyboardFocus | undefined }; way?: FocusWay | undefined };

/** The window in front, all of its objects that had the focus, and the documents around the one that gets the keys. */
type FocusWay = {
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

/** What a look at the focus found, as far as it can be asked for again quickly. */
export function focusWay(
  trees: readonly AccessibleTree[],
  ref: AccessibleRef,
  app: AccessibleApp,
): FocusWay | undefined {
  const tree = trees.find((each) => wayIn(each, ref).length > 0);
  if (tree === undefined) return undefined;
  const focused = flattened(tree).filter(({ states }) => states.focused);
  if (focused.length === 0) return undefined;
  const documents = documentsAmong(wayIn(tree, ref), app);
  return { window: tree.node.ref, focused: focused.map((node) => node.ref), documents };
}

/** The documents around the focus while the same objects have it as at the latest look; else `null`. */
export async function knownDocuments(bus: AccessibilityBus, { way }: LatestFocus): Promise<string[] | null> {
  if (way === undefined) return null;
  const timeLeftMs = timeLeftOf(BUDGET_MS);
  const wanted = { states: [STATES.focused], most: way.focused.length + 1 };
  const [found, documents] = await Promise.all([
    matchesIn(bus, way.window, { wanted, timeoutMs: timeLeftMs() }),
    addressesOf(bus, way.documents, timeLeftMs),
  ]);
  const isSame = found !== null && listed(found) === listed(way.focused);
  return isSame ? documents : null;
}

function listed(refs: readonly AccessibleRef[]): string {
  const all = refs.map(({ bus, path }) => `${bus} ${path}`);
  return all.toSorted().join('\n');
}
