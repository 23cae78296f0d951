import type { AccessibilityBus, AccessibleApp } from '../accessibility-bus.ts';
import { matchesIn, STATES } from '../accessible-matches.ts';
import type { AccessibleRef } from '../accessible-node.ts';
import type { AccessibleTree } from '../accessible-tree.ts';
import { flattened, wayIn } from '../flattened-tree.ts';
import { timeLeftOf } from '../read-node.ts';
import type { FocusWay, LatestFocus } from './keyboard-focus.ts';
import { addressesOf, documentsAmong } from './surroundings.ts';

const BUDGET_MS = 1_000;

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
